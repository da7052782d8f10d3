import { type Setting, type SettingTable, type SettingValues, setting } from './setting.ts';
import * as types from './value-types.ts';

const path = types.absolutePath('<file>');

/**
 * Settings of the HTTP server besides those of every server. They are here and not in the app, because the stdio server must
 * recognise these variables too: one environment may hold the settings of both.
 */
export const httpSettings = {
  /** A host name, or an address without brackets. */
  host: setting({
    variable: 'GEMINI_MCP_HOST',
    flag: 'host',
    group: 'HTTP server',
    type: types.host,
    default: '127.0.0.1',
    description:
      'The address or host name to listen on. If other machines can reach it, the server starts only with a configured token, a principals file or OAuth.',
  }),
  /** 0 for any free port. */
  port: setting({
    variable: 'GEMINI_MCP_PORT',
    flag: 'port',
    group: 'HTTP server',
    type: types.wholeNumber('<port>', 0, 65_535),
    default: 3_000,
    description:
      'The port to listen on, from 0 to 65535. With `0`, the server takes a free port and reports it when it listens.',
  }),
  /** Whether `/mcp` keeps sessions. */
  isStateful: setting({
    variable: 'GEMINI_MCP_STATEFUL',
    flag: 'stateful',
    group: 'HTTP server',
    type: types.onOrOff,
    default: false,
    description:
      '`1` or `0`. With `1`, `/mcp` keeps a session for each client (`Mcp-Session-Id`). With `0`, each request is independent, and any server can answer it.',
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
  /** The grace period of running calls at shutdown. */
  shutdownGraceMs: setting({
    variable: 'GEMINI_MCP_HTTP_SHUTDOWN_SECONDS',
    flag: 'http-shutdown-seconds',
    group: 'HTTP server',
    type: types.seconds(0, 600),
    default: 2_000,
    description: 'Seconds, from 0 to 600, that running calls get to finish at shutdown before they are cancelled.',
  }),
  /** A secret. Null if not set in the environment. */
  token: setting({
    variable: 'GEMINI_MCP_TOKEN',
    flag: null,
    group: 'Access',
    type: types.token,
    default: null,
    shownDefault: 'generated at each start and shown once; not set with a principals file or an issuer',
    description:
      'The token that lets a client in: 32 to 4096 characters of visible ASCII without spaces. It has no flag, because others can see the arguments of a program.',
  }),
  /** The file that holds the token or receives a new one. Null if not set, or if `token` is set. */
  tokenFile: setting({
    variable: 'GEMINI_MCP_TOKEN_FILE',
    flag: 'token-file',
    group: 'Access',
    type: path,
    default: null,
    description:
      'An absolute path. The first line of the file is that token; if the file is missing, the server creates it with a new one. Only you may be able to read it (mode 0600).',
  }),
  principalsFile: setting({
    variable: 'GEMINI_MCP_PRINCIPALS_FILE',
    flag: 'principals-file',
    group: 'Access',
    type: path,
    default: null,
    description:
      'An absolute path: a JSON file with further principals, each with a name, the SHA-256 of its token, scopes and directories. Only you may be able to change it.',
  }),
  oauthIssuer: setting({
    variable: 'GEMINI_MCP_OAUTH_ISSUER',
    flag: 'oauth-issuer',
    group: 'Access',
    type: types.issuer,
    default: null,
    description:
      'The issuer whose OAuth access tokens the server accepts, exactly as in `iss`: an https address, or http on loopback. Requires the next setting.',
  }),
  oauthAudience: setting({
    variable: 'GEMINI_MCP_OAUTH_AUDIENCE',
    flag: 'oauth-audience',
    group: 'Access',
    type: types.audience,
    default: null,
    description: "The `aud` of those tokens: the address of this server's `/mcp` as clients use it.",
  }),
  /** In addition to the loopback names: `name` or `name:port`, in lower case, an IPv6 address in brackets. */
  allowedHosts: setting({
    variable: 'GEMINI_MCP_ALLOWED_HOSTS',
    flag: 'allowed-hosts',
    group: 'Access',
    type: types.allowedHosts,
    default: [],
    description:
      'Further names under which clients reach the server, separated by commas: `name`, or `name:port` for this port alone. Loopback names are always allowed; requests for any other name are refused.',
  }),
  /** Origins as browsers write them. */
  allowedOrigins: setting({
    variable: 'GEMINI_MCP_ALLOWED_ORIGINS',
    flag: 'allowed-origins',
    group: 'Access',
    type: types.origins,
    default: [],
    description:
      'Origins of web pages that may use the server from a browser, separated by commas, such as `https://app.example.com`. The server refuses all others.',
  }),
  /** For one principal; 0 for no limit. */
  requestsPerMinute: setting({
    variable: 'GEMINI_MCP_HTTP_RATE_LIMIT',
    flag: 'http-rate-limit',
    group: 'Access',
    type: types.wholeNumber('<number>', 0, 1_000_000),
    default: 600,
    description:
      'Requests of one principal per minute, from 0 to 1000000; `0` means no limit. Requests over the limit get status 429.',
  }),
} satisfies SettingTable;

/** The parsed settings of the HTTP server. */
export type HttpSettingValues = SettingValues<typeof httpSettings>;

/** The additional settings of the HTTP server, in display order. */
export const httpSettingList: readonly Setting[] = Object.values(httpSettings);
