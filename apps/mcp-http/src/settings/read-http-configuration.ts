import { BlockList, isIP } from 'node:net';
import {
  ConfigurationError,
  type ConfigurationRead,
  type ConfigurationSources,
  type ConfigurationWarning,
  findUnknownVariables,
  type HttpSettingValues,
  httpSettingList,
  httpSettings,
  profiles,
  readConfiguration,
  readSettings,
  type Setting,
  type Sizes,
  serverSettingList,
} from '@gemini-mcp/server';

export type HttpConfigurationRead = ConfigurationRead & {
  readonly http: HttpConfiguration;
};

/**
 * Reads the settings of the HTTP server. Throws a `ConfigurationError` that names the invalid variable or flag, also if other
 * machines can reach the server and access is not configured. The error never contains a token.
 */
export function readHttpConfiguration(sources: ConfigurationSources): HttpConfigurationRead {
  const { configuration, warnings } = readConfiguration(sources);
  const { oauthIssuer, oauthAudience, ...values } = readSettings(httpSettings, sources);
  const { maxConnections, maxRequests, maxSessions } = profiles[configuration.profile];
  const http: HttpConfiguration = {
    ...values,
    ...fixedHttpSizes,
    maxConnections,
    maxRequests,
    maxSessions,
    tokenFile: values.token === null ? values.tokenFile : null,
    oauth: settleOAuth(oauthIssuer, oauthAudience),
  };
  refuseOpenDoor(http);
  const unknown = findUnknownVariables(sources.environment, { settings: everySetting });
  return { configuration, http, warnings: [...unknown, ...warnings, ...findWithoutEffect(values)] };
}

function settleOAuth(issuer: string | null, audience: string | null): HttpConfiguration['oauth'] {
  if (issuer !== null && audience !== null) {
    return { issuer, audience };
  }
  if (issuer === null && audience === null) {
    return null;
  }
  const { oauthIssuer, oauthAudience } = httpSettings;
  const [given, missing] = issuer === null ? [oauthAudience, oauthIssuer] : [oauthIssuer, oauthAudience];
  throw new ConfigurationError(
    `${given.variable} (--${given.flag}): it needs ${missing.variable} (--${missing.flag}), which is not set`,
  );
}

function refuseOpenDoor({ host, token, tokenFile, principalsFile, oauth }: HttpConfiguration): void {
  const problem = refuseOpenBind({
    host,
    hasConfiguredToken: token !== null || tokenFile !== null,
    hasPrincipalsFile: principalsFile !== null,
    hasOAuth: oauth !== null,
  });
  if (problem !== null) {
    throw new ConfigurationError(problem);
  }
}

/** Settings that other settings override. */
function findWithoutEffect({
  token,
  tokenFile,
}: Pick<HttpSettingValues, 'token' | 'tokenFile'>): readonly ConfigurationWarning[] {
  const message = `It has no effect: ${httpSettings.token.variable} is set.`;
  return token !== null && tokenFile !== null ? [{ variable: httpSettings.tokenFile.variable, message }] : [];
}

export type BindPlan = {
  /** An address or a name, as configured. */
  readonly host: string;
  /** Whether the token was configured: a generated one is unknown elsewhere. */
  readonly hasConfiguredToken: boolean;
  readonly hasPrincipalsFile: boolean;
  readonly hasOAuth: boolean;
};

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * The reason why the server must not listen there: other machines could reach it, and access is not configured. Null if it
 * may listen.
 */
export function refuseOpenBind({ host, hasConfiguredToken, hasPrincipalsFile, hasOAuth }: BindPlan): string | null {
  if (isLoopback(host) || hasConfiguredToken || hasPrincipalsFile || hasOAuth) {
    return null;
  }
  return [
    `GEMINI_MCP_HOST (--host): ${host} is reachable from other machines, but access is not configured.`,
    'Set GEMINI_MCP_TOKEN or GEMINI_MCP_TOKEN_FILE to a secret of your own, GEMINI_MCP_PRINCIPALS_FILE, or GEMINI_MCP_OAUTH_ISSUER with GEMINI_MCP_OAUTH_AUDIENCE; or listen on 127.0.0.1.',
    'Tokens cross the network unencrypted: put a reverse proxy with TLS in front.',
  ].join(' ');
}

/** Whether only this machine reaches a listener on `host`. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) {
    return host.toLowerCase() === 'localhost';
  }
  return loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

/** Every setting of the HTTP server, its own settings first. */
export const everySetting: readonly Setting[] = [...httpSettingList, ...serverSettingList];

/** The validated settings of the HTTP server with defaults applied, and the values derived from them. */
export type HttpConfiguration = Omit<HttpSettingValues, 'oauthIssuer' | 'oauthAudience'> &
  HttpSizes & {
    /** Both unchanged: tokens must match them exactly. */
    readonly oauth: { readonly issuer: string; readonly audience: string } | null;
  };

/** The limits of the HTTP server. */
type HttpSizes = Pick<Sizes, 'maxConnections' | 'maxRequests' | 'maxSessions'> & {
  /** Of one request. */
  readonly maxBodyBytes: number;
  /** An MCP session without a request and without a stream for this long is ended. */
  readonly sessionIdleMs: number;
};

/** Limits that are the same for every size of a server. */
const fixedHttpSizes = { maxBodyBytes: 4_194_304, sessionIdleMs: 600_000 } as const;
