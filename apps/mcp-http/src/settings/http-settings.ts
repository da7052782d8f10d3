import { type Setting, settingList, settingSchemas } from '@gemini-mcp/server';
import * as schemas from './http-setting-schemas.ts';

/** What each setting is read as. */
type HttpSettingValues = {
  readonly host: string;
  readonly port: number;
  readonly stateful: boolean;
  readonly sessionIdleSeconds: number;
  readonly maxSessions: number;
  readonly legacySse: boolean;
  readonly shutdownSeconds: number;
  readonly token: string;
  readonly tokenFile: string;
  readonly principalsFile: string;
  readonly oauthIssuer: string;
  readonly oauthAudience: string;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxConnections: number;
  readonly maxRequests: number;
  readonly rateLimit: number;
};

type HttpSettingTable = { readonly [Name in keyof HttpSettingValues]: Setting<HttpSettingValues[Name]> };

const { absolutePath, onOrOff, wholeNumber } = settingSchemas;

const ofServer = { group: 'HTTP server', separator: null } as const;
const ofAccess = { group: 'Access', separator: null } as const;
const ofLimits = { group: 'Limits', separator: null, placeholder: '<number>' } as const;
const path = { placeholder: '<file>', shownDefault: 'none', schema: absolutePath } as const;

/** What can be set for the HTTP server alone. The tables in docs/http.md come from here. */
export const httpSettings: HttpSettingTable = {
  host: {
    ...ofServer,
    variable: 'GEMINI_MCP_HOST',
    flag: 'host',
    placeholder: '<host>',
    description:
      'The address or name to listen on. One that other machines can reach needs a token that is set, a principals file or OAuth; otherwise the server does not start.',
    shownDefault: '`127.0.0.1`',
    schema: schemas.host,
  },
  port: {
    ...ofServer,
    variable: 'GEMINI_MCP_PORT',
    flag: 'port',
    placeholder: '<port>',
    description:
      'The port to listen on, from 0 to 65535. With `0`, one that is free is taken and told when it listens.',
    shownDefault: '`3000`',
    schema: () => wholeNumber(0, 65_535),
  },
  stateful: {
    ...ofServer,
    variable: 'GEMINI_MCP_STATEFUL',
    flag: 'stateful',
    placeholder: null,
    description:
      '`1` or `0`. With `1`, `/mcp` keeps a session for each client (`Mcp-Session-Id`). Without, each request stands for itself, and any server can answer it.',
    shownDefault: '`0`',
    schema: onOrOff,
  },
  legacySse: {
    ...ofServer,
    variable: 'GEMINI_MCP_LEGACY_SSE',
    flag: 'legacy-sse',
    placeholder: null,
    description: '`1` or `0`. With `1`, older clients are served too, at `/sse` and `/messages`.',
    shownDefault: '`0`',
    schema: onOrOff,
  },
  sessionIdleSeconds: {
    ...ofServer,
    variable: 'GEMINI_MCP_HTTP_SESSION_IDLE_SECONDS',
    flag: 'http-session-idle-seconds',
    placeholder: '<seconds>',
    description:
      'Seconds, from 1 to 86400, after which a session without a request and without an open stream is ended.',
    shownDefault: '`600`',
    schema: () => wholeNumber(1, 86_400),
  },
  shutdownSeconds: {
    ...ofServer,
    variable: 'GEMINI_MCP_HTTP_SHUTDOWN_SECONDS',
    flag: 'http-shutdown-seconds',
    placeholder: '<seconds>',
    description: 'Seconds, from 0 to 600, that calls have to end when the server is told to. Then they are cancelled.',
    shownDefault: '`2`',
    schema: () => wholeNumber(0, 600),
  },
  token: {
    ...ofAccess,
    variable: 'GEMINI_MCP_TOKEN',
    flag: null,
    placeholder: '<token>',
    description:
      'The token that lets a client in: 32 to 4096 characters of visible ASCII without spaces. There is no flag for it, because arguments can be seen by others.',
    shownDefault: 'one made at each start and shown once; none with a principals file or an issuer',
    schema: schemas.token,
  },
  tokenFile: {
    ...ofAccess,
    ...path,
    variable: 'GEMINI_MCP_TOKEN_FILE',
    flag: 'token-file',
    description:
      'An absolute path. The first line of the file is that token; where there is no file, it is made with a fresh one. Nobody else may be able to read it (mode 0600).',
  },
  principalsFile: {
    ...ofAccess,
    ...path,
    variable: 'GEMINI_MCP_PRINCIPALS_FILE',
    flag: 'principals-file',
    description:
      'An absolute path: a JSON file with further principals, each with a name, the SHA-256 of its token, scopes and directories. Nobody else may be able to change it.',
  },
  oauthIssuer: {
    ...ofAccess,
    variable: 'GEMINI_MCP_OAUTH_ISSUER',
    flag: 'oauth-issuer',
    placeholder: '<url>',
    description:
      'The issuer whose OAuth access tokens are taken, as they name it in `iss`: an https address, or http on loopback. Needs the next one.',
    shownDefault: 'none',
    schema: schemas.issuer,
  },
  oauthAudience: {
    ...ofAccess,
    variable: 'GEMINI_MCP_OAUTH_AUDIENCE',
    flag: 'oauth-audience',
    placeholder: '<url>',
    description: 'This server as those tokens name it in `aud`: the address of its `/mcp`, as clients have it.',
    shownDefault: 'none',
    schema: schemas.audience,
  },
  allowedHosts: {
    ...ofAccess,
    variable: 'GEMINI_MCP_ALLOWED_HOSTS',
    flag: 'allowed-hosts',
    placeholder: '<hosts>',
    separator: ',',
    description:
      'Further names under which clients reach the server, separated by commas: `name`, or `name:port` for this port alone. Loopback names are always allowed, requests for any other are refused.',
    shownDefault: 'none',
    schema: schemas.allowedHosts,
  },
  allowedOrigins: {
    ...ofAccess,
    variable: 'GEMINI_MCP_ALLOWED_ORIGINS',
    flag: 'allowed-origins',
    placeholder: '<origins>',
    separator: ',',
    description:
      'Origins of web pages that may use the server from a browser, separated by commas, such as `https://app.example.com`. All others are refused.',
    shownDefault: 'none',
    schema: schemas.origins,
  },
  maxBodyBytes: {
    ...ofLimits,
    variable: 'GEMINI_MCP_HTTP_MAX_BODY_BYTES',
    flag: 'http-max-body-bytes',
    placeholder: '<bytes>',
    description: 'Bytes that the body of a request may have, from 1024 to 67108864.',
    shownDefault: '`4194304`',
    schema: () => wholeNumber(1_024, 67_108_864),
  },
  maxConnections: {
    ...ofLimits,
    variable: 'GEMINI_MCP_HTTP_MAX_CONNECTIONS',
    flag: 'http-max-connections',
    description:
      'Connections at one time, from 1 to 65535. Beyond that a new connection displaces the oldest one without a valid token.',
    shownDefault: '`1024`',
    schema: () => wholeNumber(1, 65_535),
  },
  maxRequests: {
    ...ofLimits,
    variable: 'GEMINI_MCP_HTTP_MAX_REQUESTS',
    flag: 'http-max-requests',
    description: 'Requests of one principal at one time, from 1 to 10000. Any more are refused with the status 429.',
    shownDefault: '`64`',
    schema: () => wholeNumber(1, 10_000),
  },
  rateLimit: {
    ...ofLimits,
    variable: 'GEMINI_MCP_HTTP_RATE_LIMIT',
    flag: 'http-rate-limit',
    description:
      'Requests of one principal in a minute, from 0 to 1000000; `0` sets no limit. Any more are refused with the status 429.',
    shownDefault: '`600`',
    schema: () => wholeNumber(0, 1_000_000),
  },
  maxSessions: {
    ...ofLimits,
    variable: 'GEMINI_MCP_HTTP_MAX_SESSIONS',
    flag: 'http-max-sessions',
    description: 'Sessions at one time, from 1 to 100000.',
    shownDefault: '`1000`',
    schema: () => wholeNumber(1, 100_000),
  },
};

/** Those that only the HTTP server has, in the order in which they are shown. */
export const httpSettingList: readonly Setting<unknown>[] = Object.values(httpSettings);

/** Everything that can be set for the HTTP server. */
export const everySetting: readonly Setting<unknown>[] = [...httpSettingList, ...settingList];
