import { type Setting, type SettingTable, type SettingValues, setting } from './setting.ts';
import * as types from './value-types.ts';

const path = types.absolutePath('<file>');

/**
 * What can be set for the HTTP server in addition, as in the table of every server. It is here and not in the app, because the
 * other server has to know these variables: one environment may hold the settings of both.
 */
export const httpSettings = {
  /** An address without brackets, or a name. */
  host: setting({
    variable: 'GEMINI_MCP_HOST',
    flag: 'host',
    group: 'HTTP server',
    type: types.host,
    default: '127.0.0.1',
    description:
      'The address or name to listen on. One that other machines can reach needs a token that is set, a principals file or OAuth; otherwise the server does not start.',
  }),
  /** 0 for one that is free. */
  port: setting({
    variable: 'GEMINI_MCP_PORT',
    flag: 'port',
    group: 'HTTP server',
    type: types.wholeNumber('<port>', 0, 65_535),
    default: 3_000,
    description:
      'The port to listen on, from 0 to 65535. With `0`, the server takes one that is free, and names it when it listens.',
  }),
  /** Whether `/mcp` keeps sessions. */
  isStateful: setting({
    variable: 'GEMINI_MCP_STATEFUL',
    flag: 'stateful',
    group: 'HTTP server',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, `/mcp` keeps a session for each client (`Mcp-Session-Id`). Without, each request is independent, and any server can answer it.',
  }),
  /** Whether `/tools` and `/execute` are served. */
  projectTools: setting({
    variable: 'GEMINI_MCP_PROJECT_TOOLS',
    flag: 'project-tools',
    group: 'HTTP server',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, agents that are not Gemini may use the tools of `gemini_agent` themselves, at `/tools` and `/execute`, with tokens of the scope `gemini:tools`. `GEMINI_MCP_AGENT` says what they may do.',
  }),
  /** The time for calls to end when the server is told to. */
  shutdownGraceMs: setting({
    variable: 'GEMINI_MCP_HTTP_SHUTDOWN_SECONDS',
    flag: 'http-shutdown-seconds',
    group: 'HTTP server',
    type: types.seconds(0, 600),
    default: 2_000,
    description: 'Seconds, from 0 to 600, that calls have to end when the server is told to. Then they are cancelled.',
  }),
  /** A secret. Null where none is set in the environment. */
  token: setting({
    variable: 'GEMINI_MCP_TOKEN',
    flag: null,
    group: 'Access',
    type: types.token,
    default: null,
    shownDefault: 'one made at each start and shown once; none with a principals file or an issuer',
    description:
      'The token that lets a client in: 32 to 4096 characters of visible ASCII without spaces. There is no flag for it, because others can see the arguments of a program.',
  }),
  /** Where the token lies, or is put. Null where there is no file, and where `token` is set. */
  tokenFile: setting({
    variable: 'GEMINI_MCP_TOKEN_FILE',
    flag: 'token-file',
    group: 'Access',
    type: path,
    default: null,
    description:
      'An absolute path. The first line of the file is that token; where there is no file, the server makes it with a fresh one. No other user may be able to read it (mode 0600).',
  }),
  principalsFile: setting({
    variable: 'GEMINI_MCP_PRINCIPALS_FILE',
    flag: 'principals-file',
    group: 'Access',
    type: path,
    default: null,
    description:
      'An absolute path: a JSON file with further principals, each with a name, the SHA-256 of its token, scopes and directories. No other user may be able to change it.',
  }),
  oauthIssuer: setting({
    variable: 'GEMINI_MCP_OAUTH_ISSUER',
    flag: 'oauth-issuer',
    group: 'Access',
    type: types.issuer,
    default: null,
    description:
      'The issuer whose OAuth access tokens are taken, as they name it in `iss`: an https address, or http on loopback. Needs the next one.',
  }),
  oauthAudience: setting({
    variable: 'GEMINI_MCP_OAUTH_AUDIENCE',
    flag: 'oauth-audience',
    group: 'Access',
    type: types.audience,
    default: null,
    description: 'This server as those tokens name it in `aud`: the address of its `/mcp`, as clients have it.',
  }),
  /** In addition to the loopback names: `name` or `name:port`, in lower case, an IPv6 address in brackets. */
  allowedHosts: setting({
    variable: 'GEMINI_MCP_ALLOWED_HOSTS',
    flag: 'allowed-hosts',
    group: 'Access',
    type: types.allowedHosts,
    default: [],
    description:
      'Further names under which clients reach the server, separated by commas: `name`, or `name:port` for this port alone. Loopback names are always allowed, requests for any other are refused.',
  }),
  /** Origins as browsers write them. */
  allowedOrigins: setting({
    variable: 'GEMINI_MCP_ALLOWED_ORIGINS',
    flag: 'allowed-origins',
    group: 'Access',
    type: types.origins,
    default: [],
    description:
      'Origins of web pages that may use the server from a browser, separated by commas, such as `https://app.example.com`. All others are refused.',
  }),
  /** Of one principal; 0 for no limit. */
  requestsPerMinute: setting({
    variable: 'GEMINI_MCP_HTTP_RATE_LIMIT',
    flag: 'http-rate-limit',
    group: 'Access',
    type: types.wholeNumber('<number>', 0, 1_000_000),
    default: 600,
    description:
      'Requests of one principal in a minute, from 0 to 1000000; `0` sets no limit. Any more are refused with the status 429.',
  }),
} satisfies SettingTable;

/** What the settings of the HTTP server are read as. */
export type HttpSettingValues = SettingValues<typeof httpSettings>;

/** The additional settings of the HTTP server, in the order in which they are shown. */
export const httpSettingList: readonly Setting[] = Object.values(httpSettings);
