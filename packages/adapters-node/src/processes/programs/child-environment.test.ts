import { describe, expect, it } from 'vitest';
import { buildChildEnvironment, buildHelperEnvironment, secretValues, withOwnKey } from './child-environment.ts';

const places = { path: '/usr/bin', homeDirectory: '/run/home', temporaryDirectory: '/run/tmp' };

const ours = {
  NoDefaultCurrentDirectoryInExePath: '1',
  PATH: '/usr/bin',
  GEMINI_CLI_HOME: '/run/home',
  GEMINI_CLI_TRUST_WORKSPACE: 'true',
  GEMINI_CLI_NO_RELAUNCH: '1',
  NO_COLOR: '1',
  NO_BROWSER: 'true',
  TERM: 'dumb',
  TMPDIR: '/run/tmp',
  TEMP: '/run/tmp',
  TMP: '/run/tmp',
};

describe('buildChildEnvironment', () => {
  it.each([
    'GEMINI_SYSTEM_MD',
    'GEMINI_WRITE_SYSTEM_MD',
    'GEMINI_MODEL',
    'GEMINI_SANDBOX',
    'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
    'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    'GEMINI_CLI_TRUSTED_FOLDERS_PATH',
    'GEMINI_CLI_CUSTOM_HEADERS',
    'GEMINI_CLI_IDE_SERVER_PORT',
    'GEMINI_MCP_CLI',
    'GEMINI_MCP_RUN_ID',
    'GEMINI_MCP_TOKEN',
    'GEMINI_MCP_TOKEN_FILE',
    'GEMINI_MCP_PRINCIPALS_FILE',
    'GEMINI_DEBUG_LOG_FILE',
    'NODE_OPTIONS',
    'NODE_PATH',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'BASH_ENV',
    'ENV',
    'SHELL',
    'GIT_SSH_COMMAND',
    'PYTHONSTARTUP',
    'GEMINI_SANDBOX',
    'npm_config_registry',
    'NPM_CONFIG_PREFIX',
    'npm_config_node_options',
    'INIT_CWD',
    'NODE',
    'DEBUG',
    'DEBUG_MODE',
    'SANDBOX',
    'CLOUD_SHELL',
    'DISPLAY',
    'BROWSER',
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    '__proto__',
  ])('CONFIG-07: drops %s', (name) => {
    const environment = Object.fromEntries([[name, '/evil']]);
    expect(buildChildEnvironment({ environment, ...places })).toEqual(ours);
  });

  it.each(['GEMINI_CLI_HOME', 'GEMINI_CLI_TRUST_WORKSPACE', 'GEMINI_CLI_NO_RELAUNCH', 'TMPDIR', 'NO_BROWSER', 'PATH'])(
    'CONFIG-07: sets %s itself, whatever its value outside',
    (name) => {
      const environment = Object.fromEntries([[name, '/evil']]);
      expect(buildChildEnvironment({ environment, ...places })).toEqual(ours);
    },
  );

  it("passes the user's identity, how to reach Google, and the login", () => {
    const environment = {
      HOME: '/home/me',
      LANG: 'de_DE.UTF-8',
      LC_ALL: 'C',
      https_proxy: 'http://proxy:1',
      NO_PROXY: '',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
      GEMINI_API_KEY: 'key',
      GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:1',
      GOOGLE_CLOUD_PROJECT: 'p',
    };
    expect(buildChildEnvironment({ environment: { ...environment, GOOGLE_API_KEY: undefined }, ...places })).toEqual({
      ...environment,
      ...ours,
    });
  });
});

describe('secretValues', () => {
  it('are the existing keys', () => {
    const environment = { GEMINI_API_KEY: 'one', GOOGLE_API_KEY: undefined, GEMINI_MCP_TOKEN: 'two', HOME: '/' };
    expect(secretValues(environment)).toEqual(['one', 'two']);
  });
});

describe('buildHelperEnvironment', () => {
  it("PROGRAM-06: has the user's identity and the network settings: no key, nothing that loads or starts programs", () => {
    const common = { HOME: '/home/me', USER: 'me', LANG: 'C', LC_ALL: 'C', https_proxy: 'http://proxy:1' };
    const others = [
      ...['GEMINI_API_KEY', 'google_api_key', 'GOOGLE_APPLICATION_CREDENTIALS', 'GEMINI_MCP_TOKEN', 'GITHUB_TOKEN'],
      ...['npm_config_registry', 'NPM_CONFIG_PREFIX', 'npm_config_node_options', 'npm_config_script_shell'],
      ...['npm_config_userconfig', 'npm_config_cache', 'npm_execpath', 'INIT_CWD', 'NODE', 'NODE_OPTIONS', 'NODE_PATH'],
      ...['LD_PRELOAD', 'LD_LIBRARY_PATH', 'DYLD_INSERT_LIBRARIES', 'BASH_ENV', 'ENV', 'SHELL', 'GIT_SSH_COMMAND'],
      ...['PYTHONSTARTUP', 'EDITOR', 'PATH', 'Path', 'TMPDIR'],
    ];
    const environment = { ...common, ...Object.fromEntries(others.map((name) => [name, '/evil'])), GONE: undefined };
    expect(buildHelperEnvironment(environment, '/usr/bin')).toEqual({
      ...common,
      NoDefaultCurrentDirectoryInExePath: '1',
      PATH: '/usr/bin',
    });
  });
});

describe('withOwnKey', () => {
  const environment = {
    PATH: '/bin',
    GEMINI_API_KEY: 'of the server',
    google_api_key: 'of the server',
    GOOGLE_GENAI_USE_VERTEXAI: 'true',
    GOOGLE_GENAI_USE_GCA: 'true',
    GOOGLE_APPLICATION_CREDENTIALS: '/adc.json',
    GOOGLE_CLOUD_PROJECT: 'of-the-server',
    GOOGLE_CLOUD_PROJECT_ID: 'of-the-server',
    GOOGLE_CLOUD_LOCATION: 'us-central1',
  };

  it('leaves no other way to log in', () => {
    expect(withOwnKey(environment, 'own')).toEqual({ PATH: '/bin', GEMINI_API_KEY: 'own' });
  });

  it('changes nothing without a key', () => {
    expect(withOwnKey(environment, null)).toBe(environment);
  });
});

it('the variables of a run come last', () => {
  const variables = { GEMINI_SYSTEM_MD: '/run/system.md', TERM: 'x' };
  expect(buildChildEnvironment({ environment: {}, ...places, variables })).toEqual({ ...ours, ...variables });
});
