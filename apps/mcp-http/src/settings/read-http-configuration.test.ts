import { ConfigurationError, parseCommandLine } from '@gemini-mcp/server';
import { describe, expect, it } from 'vitest';
import { httpProgram } from './http-program.ts';
import { type HttpConfigurationRead, readHttpConfiguration } from './read-http-configuration.ts';

const token = 'a-token-of-32-characters-or-more';
const oauth = { issuer: 'https://login.example.com/tenant/', audience: 'https://gemini.example.com/mcp' };

function readAll(environment: Record<string, string>, args: readonly string[] = []): HttpConfigurationRead {
  const { flags } = parseCommandLine(args, httpProgram);
  const all = { HOME: '/home/ada', ...environment };
  return readHttpConfiguration({ environment: all, flags, currentDirectory: '/project' });
}

const read = (...given: Parameters<typeof readAll>): HttpConfigurationRead['http'] => readAll(...given).http;

describe('readHttpConfiguration', () => {
  it('needs no settings', () => {
    const { configuration, http, warnings } = readAll({});
    expect(http).toEqual({
      host: '127.0.0.1',
      port: 3_000,
      isStateful: false,
      projectTools: false,
      sessionIdleMs: 600_000,
      shutdownGraceMs: 2_000,
      token: null,
      tokenFile: null,
      principalsFile: null,
      oauth: null,
      allowedHosts: [],
      allowedOrigins: [],
      maxBodyBytes: 4_194_304,
      maxConnections: 1_024,
      maxRequests: 64,
      requestsPerMinute: 600,
      maxSessions: 1_000,
    });
    expect(configuration).toMatchObject({ workingDirectory: '/project', logLevel: 'info' });
    expect(warnings).toEqual([]);
  });

  it('reads variables and flags of both tables at once, flags first', () => {
    const environment = { GEMINI_MCP_PORT: '8080', GEMINI_MCP_LOG_LEVEL: 'debug', GEMINI_MCP_HTTP_RATE_LIMIT: '0' };
    const { configuration, http } = readAll(environment, ['--port=0', '--read-only', '--stateful']);
    expect(http).toMatchObject({ port: 0, requestsPerMinute: 0, isStateful: true });
    expect(configuration).toMatchObject({ logLevel: 'debug', readOnly: true });
  });

  it.each([
    ['localhost', 'localhost'],
    ['LocalHost', 'localhost'],
    ['127.0.0.2', '127.0.0.2'],
    ['::1', '::1'],
    ['[::1]', '::1'],
  ])('listens on %s', (given, host) => {
    expect(read({ GEMINI_MCP_HOST: given }).host).toBe(host);
  });

  it.each(['0.0.0.0', '::', '192.168.1.2', 'gemini.example.com'])('listens on %s if access is configured', (host) => {
    const environment = { GEMINI_MCP_HOST: host };
    expect(() => read(environment)).toThrow(/^GEMINI_MCP_HOST \(--host\): .+ is reachable from other machines/);
    const ways = [
      { GEMINI_MCP_TOKEN: token },
      { GEMINI_MCP_TOKEN_FILE: '/token' },
      { GEMINI_MCP_PRINCIPALS_FILE: '/principals.json' },
      { GEMINI_MCP_OAUTH_ISSUER: oauth.issuer, GEMINI_MCP_OAUTH_AUDIENCE: oauth.audience },
    ];
    for (const way of ways) {
      expect(read({ ...environment, ...way }).host).toBe(host);
    }
  });

  it('reads names and origins as browsers write them, without duplicates', () => {
    const hosts = 'Gemini.Example.com, gemini.example.com ,gemini.example.com:8443,::1,[2001:DB8::1]:80';
    expect(read({ GEMINI_MCP_ALLOWED_HOSTS: hosts }).allowedHosts).toEqual([
      'gemini.example.com',
      'gemini.example.com:8443',
      '[::1]',
      '[2001:db8::1]:80',
    ]);
    const origins = ['--allowed-origins=https://App.Example.com:443/', '--allowed-origins', 'http://localhost:5173'];
    expect(read({}, origins).allowedOrigins).toEqual(['https://app.example.com', 'http://localhost:5173']);
  });

  it('keeps issuer and audience unchanged, because tokens must match them exactly', () => {
    const { issuer, audience } = oauth;
    expect(read({ GEMINI_MCP_OAUTH_ISSUER: issuer, GEMINI_MCP_OAUTH_AUDIENCE: audience }).oauth).toEqual(oauth);
    const local = { issuer: 'http://127.0.0.1:9000', audience: 'http://localhost:3000/mcp' };
    expect(read({}, [`--oauth-issuer=${local.issuer}`, `--oauth-audience=${local.audience}`]).oauth).toEqual(local);
  });

  it('a token in the environment wins over one in a file, with a warning', () => {
    const { http, warnings } = readAll({ GEMINI_MCP_TOKEN: token, GEMINI_MCP_TOKEN_FILE: '/run/token' });
    expect(http).toMatchObject({ token, tokenFile: null });
    expect(warnings).toEqual([
      { variable: 'GEMINI_MCP_TOKEN_FILE', message: 'It has no effect: GEMINI_MCP_TOKEN is set.' },
    ]);
    expect(read({ GEMINI_MCP_TOKEN_FILE: '/run/token' })).toMatchObject({ token: null, tokenFile: '/run/token' });
  });

  it.each([
    ['small', { maxConnections: 256, maxRequests: 32, maxSessions: 100 }],
    ['shared', { maxConnections: 4_096, maxRequests: 2_048, maxSessions: 4_096 }],
  ])('has the size of the profile %s', (profile, sizes) => {
    expect(read({ GEMINI_MCP_PROFILE: profile })).toMatchObject({ ...sizes, maxBodyBytes: 4_194_304 });
  });

  it('warns of unknown variables, and passes on warnings of the shared settings', () => {
    const environment = { GEMINI_MCP_HOSTS: 'x', GEMINI_MCP_READ_ONLY: '1', GEMINI_MCP_ALLOW_YOLO: '1' };
    expect(readAll(environment).warnings).toEqual([
      { variable: 'GEMINI_MCP_HOSTS', message: 'Unknown setting. Did you mean GEMINI_MCP_HOST?' },
      { variable: 'GEMINI_MCP_ALLOW_YOLO', message: 'It has no effect: the server is read-only.' },
    ]);
  });

  const wrong: Readonly<Record<string, readonly [message: string, ...values: string[]]>> = {
    GEMINI_MCP_PORT: ['is not a whole number from 0 to 65535', '65536', '-1', 'http'],
    GEMINI_MCP_HOST: [
      'is neither an address nor a name, without a port',
      ...['127.0.0.1:3000', 'http://localhost', '[localhost]', '1.2.3', '127.1', '*', 'a b', '[127.0.0.1]', '-x'],
    ],
    GEMINI_MCP_ALLOWED_HOSTS: [
      'is neither a name nor a name with a port',
      ...['*', '*.example.com', 'https://example.com', 'example.com:99999', 'a/b'],
    ],
    GEMINI_MCP_ALLOWED_ORIGINS: [
      'is not an origin: https:// or http://, a name, and optionally a port, such as https://app.example.com',
      ...['*', 'null', 'app.example.com', 'https://a.example/b', 'https://*.example', 'ftp://a.example', 'file:///a'],
      ...['https://ada@a.example', 'https://a.example?b', 'https://a.example/#'],
    ],
    GEMINI_MCP_OAUTH_ISSUER: [
      'must be an https URL without user, query or fragment (http only for this machine)',
      ...['http://login.example.com', 'login.example.com', 'https://a.example/?x=1', 'https://a.example/#x'],
    ],
    GEMINI_MCP_OAUTH_AUDIENCE: [
      'is not the address of this server as clients use it, such as https://gemini.example.com/mcp, without user, query and fragment',
      ...['gemini', 'urn:gemini', 'https://a.example/mcp#x', '/mcp'],
    ],
    GEMINI_MCP_TOKEN_FILE: ['is not an absolute path', 'token'],
    GEMINI_MCP_PRINCIPALS_FILE: ['is not an absolute path', './principals.json'],
    GEMINI_MCP_STATEFUL: ['is neither 0 nor 1', 'yes'],
    GEMINI_MCP_HTTP_RATE_LIMIT: ['is not a whole number from 0 to 1000000', '-1', '1k'],
  };

  it.each(Object.keys(wrong))('refuses an invalid %s, and names it', (variable) => {
    const [message, ...values] = wrong[variable] ?? [''];
    expect(values).not.toEqual([]);
    for (const value of values) {
      expect(() => read({ [variable]: value })).toThrow(
        new ConfigurationError(`${variable}: ${JSON.stringify(value)} ${message}`),
      );
    }
  });

  it.each([
    ['GEMINI_MCP_OAUTH_ISSUER', oauth.issuer, 'GEMINI_MCP_OAUTH_AUDIENCE (--oauth-audience)'],
    ['GEMINI_MCP_OAUTH_AUDIENCE', oauth.audience, 'GEMINI_MCP_OAUTH_ISSUER (--oauth-issuer)'],
  ])('%s alone is half of a setting', (variable, value, missing) => {
    expect(() => read({ [variable]: value })).toThrow(`it needs ${missing}, which is not set`);
  });

  it.each(['short', 'a token with spaces in it, and long enough', `${token}\u00e9`, `${token}\n`, 'x'.repeat(4_097)])(
    'refuses an invalid token without showing it: %j',
    (poor) => {
      const message =
        'GEMINI_MCP_TOKEN: it needs 32 to 4096 characters of visible ASCII without spaces; `openssl rand -base64 32` creates such a token';
      expect(() => read({ GEMINI_MCP_TOKEN: poor })).toThrow(new ConfigurationError(message));
    },
  );
});
