import { chownSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseCommandLine } from '../command-line/parse-command-line.ts';
import { sampleProgram } from '../testing/sample-program.ts';
import { type ConfigurationRead, readConfiguration } from './read-configuration.ts';
import { toolWords } from './server-settings.ts';
import { ConfigurationError } from './setting.ts';

const directory = mkdtempSync(join(tmpdir(), 'gemini-mcp-configuration-'));
const file = join(directory, 'file');
writeFileSync(file, '');
const circle = join(directory, 'circle');
symlinkSync(circle, circle);

afterAll(() => rmSync(directory, { recursive: true }));

function readAll(environment: Record<string, string>, args: readonly string[] = []): ConfigurationRead {
  const { flags } = parseCommandLine(args, sampleProgram);
  return readConfiguration({ environment: { HOME: '/home/ada', ...environment }, flags, currentDirectory: '/project' });
}

const read = (...given: Parameters<typeof readAll>): ConfigurationRead['configuration'] =>
  readAll(...given).configuration;

describe('readConfiguration', () => {
  it.skipIf(process.getuid?.() !== 0)("uses the account's home in place of another user's, and says so", () => {
    const home = mkdtempSync(join(tmpdir(), 'home-of-another-'));
    chownSync(home, 1_001, 1_001);
    const { configuration, warnings } = readAll({ HOME: home });
    rmSync(home, { recursive: true });
    expect(configuration.stateDirectory.startsWith(userInfo().homedir)).toBe(true);
    const message = `${home} belongs to another user, so this account's home is used: ${userInfo().homedir}.`;
    expect(warnings).toEqual([{ variable: 'HOME', message }]);
  });

  it('needs nothing to be set', () => {
    const { configuration, warnings } = readAll({});
    expect(configuration).toMatchObject({
      workingDirectory: '/project',
      noRootBecause: null,
      roots: [],
      trustedDirectories: [],
      pinnedPaths: new Map([['/project', '/project']]),
      allowSensitive: false,
      modelChain: null,
      cli: null,
      queryTimeoutMs: 120_000,
      chatTimeoutMs: 600_000,
      searchTimeoutMs: 60_000,
      callLimitMs: null,
      maxRunning: 4,
      maxQueued: 32,
      maxFiles: 2_000,
      maxBytes: 10_000_000,
      maxMediaBytes: 50_000_000,
      runner: 'auto',
      tools: null,
      readOnly: false,
      allowYolo: false,
      stateDirectory: expect.stringMatching(/gemini-mcp-server$/),
      userDirectory: '/home/ada/.gemini',
      logLevel: 'info',
    });
    expect(warnings).toEqual([]);
  });

  it('reads directories', () => {
    expect(read({ GEMINI_CLI_WORKING_DIR: directory }).workingDirectory).toBe(directory);
    expect(read({ GEMINI_MCP_ROOTS: [directory, tmpdir()].join(delimiter) }).roots).toEqual([directory, tmpdir()]);
    expect(read({ GEMINI_MCP_TRUSTED_DIRS: directory }).trustedDirectories).toEqual([directory]);
    expect(read({ GEMINI_MCP_STATE_DIR: '/state' }).stateDirectory).toBe('/state');
  });

  it('takes two spellings of a directory for one', () => {
    expect(read({ GEMINI_CLI_WORKING_DIR: `${directory}/` }).workingDirectory).toBe(directory);
    expect(read({ GEMINI_MCP_ROOTS: `${directory}/./${delimiter}` }).roots).toEqual([directory]);
    expect(read({ GEMINI_MCP_STATE_DIR: '/state/../else/' }).stateDirectory).toBe('/else');
  });

  it.runIf(process.platform === 'linux')('keeps its state where the platform keeps it', () => {
    expect(read({}).stateDirectory).toBe('/home/ada/.local/state/gemini-mcp-server');
    expect(read({ XDG_STATE_HOME: '/xdg' }).stateDirectory).toBe('/xdg/gemini-mcp-server');
    expect(read({ XDG_STATE_HOME: 'relative' }).stateDirectory).toBe('/home/ada/.local/state/gemini-mcp-server');
  });

  it.each(['', '.', 'home'])(
    'ROOT-09: keeps nothing in the directory of the start for HOME=%o, and reads no login there',
    (HOME) => {
      const { stateDirectory, userDirectory } = read({ HOME });
      expect(stateDirectory.startsWith(`${userInfo().homedir}/`)).toBe(true);
      expect(userDirectory).toBe(join(userInfo().homedir, '.gemini'));
    },
  );

  it('reads the chain of models, each once', () => {
    expect(read({ GEMINI_MCP_MODELS: ' gemini-a, gemini-b,gemini-a ,' }).modelChain).toEqual(['gemini-a', 'gemini-b']);
  });

  it('takes 1 for a switch that is on, and an empty variable for one that is not set', () => {
    expect(read({ GEMINI_MCP_ALLOW_SENSITIVE: '1' }).allowSensitive).toBe(true);
    expect(read({ GEMINI_MCP_ALLOW_SENSITIVE: '0' }).allowSensitive).toBe(false);
    expect(read({ GEMINI_MCP_ALLOW_SENSITIVE: '' }).allowSensitive).toBe(false);
  });

  it('uses the common timeout for tools without their own', () => {
    const common = { GEMINI_CLI_TIMEOUT_MS: '5000' };
    const all = { queryTimeoutMs: 5_000, chatTimeoutMs: 5_000, searchTimeoutMs: 5_000 };
    expect(read(common)).toMatchObject(all);
    expect(read({ ...common, GEMINI_CLI_CHAT_TIMEOUT_MS: '7000' })).toMatchObject({ ...all, chatTimeoutMs: 7_000 });
    expect(read({ ...common, GEMINI_CLI_SEARCH_TIMEOUT_MS: '7000' })).toMatchObject({ ...all, searchTimeoutMs: 7_000 });
  });

  it('keeps conversations for days, in memory, or for ever', () => {
    expect(read({ GEMINI_MCP_SESSION_RETENTION_DAYS: '7' }).sessionRetentionDays).toBe(7);
    expect(read({ GEMINI_MCP_SESSION_RETENTION_DAYS: '0' }).sessionRetentionDays).toBe(0);
    expect(read({ GEMINI_MCP_SESSION_RETENTION_DAYS: 'forever' }).sessionRetentionDays).toBe(Number.POSITIVE_INFINITY);
  });

  it('reads names of tools', () => {
    expect(read({ GEMINI_MCP_TOOLS: 'gemini_query, chat' }).tools).toEqual(['gemini_query', 'chat']);
    expect(read({ GEMINI_MCP_TOOLS: 'search,conversation' }).tools).toEqual(['search', 'conversation']);
  });

  it('a server that is read-only allows no yolo, and says that the setting does nothing', () => {
    const { configuration, warnings } = readAll({ GEMINI_MCP_READ_ONLY: '1', GEMINI_MCP_ALLOW_YOLO: '1' });
    expect(configuration).toMatchObject({ readOnly: true, allowYolo: false });
    expect(warnings).toEqual([
      { variable: 'GEMINI_MCP_ALLOW_YOLO', message: 'It has no effect: the server is read-only.' },
    ]);
    expect(read({ GEMINI_MCP_ALLOW_YOLO: '1' }).allowYolo).toBe(true);
  });

  it('reads the runner', () => {
    expect(read({ GEMINI_MCP_RUNNER: 'warm' }).runner).toBe('warm');
    expect(read({}, ['--runner', 'headless']).runner).toBe('headless');
  });

  it.each([
    ['small', { maxRunning: 2, maxQueued: 16, maxMediaBytes: 14_000_000, warmProcesses: 1, warmIdleMs: 120_000 }],
    ['standard', { maxRunning: 4, maxQueued: 32, warmProcesses: 4, warmIdleMs: 600_000 }],
    ['shared', { maxRunning: 16, maxQueued: 128, maxMediaBytes: 14_000_000, warmProcesses: 8, warmIdleMs: 600_000 }],
  ])('is of the size that the profile %s names', (profile, sizes) => {
    expect(read({ GEMINI_MCP_PROFILE: profile })).toMatchObject({ profile, ...sizes });
  });

  it('lets eight calls wait for each one that may run, however many those are', () => {
    expect(read({ GEMINI_MCP_PROFILE: 'shared' }, ['--max-running=3'])).toMatchObject({
      maxRunning: 3,
      maxQueued: 24,
      warmProcesses: 8,
    });
  });

  it('flags win over variables', () => {
    const environment = { GEMINI_MCP_MODELS: 'gemini-a', GEMINI_MCP_READ_ONLY: '1', GEMINI_MCP_LOG_LEVEL: 'debug' };
    const configuration = read(environment, ['--models', 'gemini-b,gemini-c', '--read-only=0']);
    expect(configuration).toMatchObject({
      modelChain: ['gemini-b', 'gemini-c'],
      readOnly: false,
      logLevel: 'debug',
    });
  });

  it.each([
    [{ GEMINI_CLI_WORKING_DIR: 'relative' }, 'GEMINI_CLI_WORKING_DIR: "relative" is not an absolute path'],
    [{ GEMINI_CLI_WORKING_DIR: file }, `GEMINI_CLI_WORKING_DIR: ${JSON.stringify(file)} is not a directory`],
    [{ GEMINI_MCP_ROOTS: '/does/not/exist' }, 'GEMINI_MCP_ROOTS: "/does/not/exist" is not a directory'],
    [{ GEMINI_CLI_WORKING_DIR: circle }, `GEMINI_CLI_WORKING_DIR: ${JSON.stringify(circle)} is not a directory`],
    [{ GEMINI_MCP_ROOTS: `/${'x'.repeat(300)}` }, `GEMINI_MCP_ROOTS: "/${'x'.repeat(300)}" is not a directory`],
    [{ GEMINI_MCP_TOOLS: ' , ' }, 'GEMINI_MCP_TOOLS: it contains only separators and no names'],
    [{ GEMINI_MCP_MODELS: ',' }, 'GEMINI_MCP_MODELS: it contains only separators and no names'],
    [{ GEMINI_MCP_ROOTS: delimiter }, 'GEMINI_MCP_ROOTS: it contains only separators and no names'],
    [{ GEMINI_MCP_TRUSTED_DIRS: 'here' }, 'GEMINI_MCP_TRUSTED_DIRS: "here" is not an absolute path'],
    [{ GEMINI_MCP_STATE_DIR: 'state' }, 'GEMINI_MCP_STATE_DIR: "state" is not an absolute path'],
    [{ GEMINI_MCP_MODELS: 'gemini-a,--yolo' }, 'GEMINI_MCP_MODELS: "--yolo" is not the name of a model'],
    ...['redis://:s3cret@db', 'db:6379', 'http://db', 'redis:///0', 'redis://db/app', 'redis://db?x'].map(
      (address): [Record<string, string>, string] => [
        { GEMINI_MCP_STORE: address },
        'GEMINI_MCP_STORE: it is not the address of a Valkey or Redis, such as redis://user@host:6379/0, or rediss:// for TLS; a password belongs in GEMINI_MCP_STORE_PASSWORD_FILE',
      ],
    ),
    [{ GEMINI_MCP_STORE_PREFIX: 'a:b' }, 'GEMINI_MCP_STORE_PREFIX: "a:b" is not 1 to 64 letters, digits, ., _ or -'],
    [{ GEMINI_MCP_ALLOW_SENSITIVE: 'yes' }, 'GEMINI_MCP_ALLOW_SENSITIVE: "yes" is neither 0 nor 1'],
    [{ GEMINI_CLI_TIMEOUT_MS: '60s' }, 'GEMINI_CLI_TIMEOUT_MS: "60s" is not a whole number from 1000 to 3600000'],
    [{ GEMINI_MCP_MAX_RUNNING: '0' }, 'GEMINI_MCP_MAX_RUNNING: "0" is not a whole number from 1 to 64'],
    [{ GEMINI_MCP_PROFILE: 'huge' }, 'GEMINI_MCP_PROFILE: "huge" is not one of small, standard, shared.'],
    [{ GEMINI_MCP_RUNNER: 'cold' }, 'GEMINI_MCP_RUNNER: "cold" is not one of auto, api, warm, headless.'],
    [
      { GEMINI_MCP_RUNNER: 'apii' },
      'GEMINI_MCP_RUNNER: "apii" is not one of auto, api, warm, headless. Did you mean api?',
    ],
    [
      { GEMINI_MCP_SESSION_RETENTION_DAYS: 'never' },
      'GEMINI_MCP_SESSION_RETENTION_DAYS: "never" is neither a whole number of days from 0 to 36500 nor forever',
    ],
    [
      { GEMINI_MCP_LOG_LEVEL: 'loud' },
      'GEMINI_MCP_LOG_LEVEL: "loud" is not one of trace, debug, info, warn, error, silent.',
    ],
    [
      { GEMINI_MCP_TOOLS: 'gemini_query,gemini_qurey' },
      `GEMINI_MCP_TOOLS: "gemini_qurey" is neither a tool nor a group of tools. Did you mean gemini_query? Known names: ${toolWords.join(', ')}.`,
    ],
    [
      { GEMINI_MCP_TOOLS: 'conversations' },
      `GEMINI_MCP_TOOLS: "conversations" is neither a tool nor a group of tools. Did you mean conversation? Known names: ${toolWords.join(', ')}.`,
    ],
  ])('refuses %j and names the variable', (environment, message) => {
    expect(() => read(environment)).toThrow(new ConfigurationError(message));
  });

  it('names the flag where the flag is wrong', () => {
    expect(() => read({}, ['--max-running', 'many'])).toThrow(
      new ConfigurationError('--max-running: "many" is not a whole number from 1 to 64'),
    );
  });
});
