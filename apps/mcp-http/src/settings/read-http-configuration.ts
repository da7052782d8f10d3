import {
  ConfigurationError,
  type ConfigurationRead,
  type ConfigurationSources,
  type ConfigurationWarning,
  findUnknownVariables,
  type ReadSetting,
  readConfiguration,
  type Setting,
  settingReader,
} from '@gemini-mcp/server';
import { refuseOpenBind } from '../operation/refuse-open-bind.ts';
import type { HttpConfiguration } from './http-configuration.ts';
import { everySetting, httpSettings as settings } from './http-settings.ts';

export type HttpConfigurationRead = ConfigurationRead & {
  readonly http: HttpConfiguration;
};

/**
 * Reads everything that can be set for the HTTP server. Throws a `ConfigurationError` that names the variable or the flag
 * which is wrong, also where others than this machine could reach the server and the operator has not said who may use it. Shows no token.
 */
export function readHttpConfiguration(sources: ConfigurationSources): HttpConfigurationRead {
  const { configuration, warnings } = readConfiguration(sources);
  const read = settingReader(sources);
  const http: HttpConfiguration = { ...readServer(read), ...readAccess(read), ...readLimits(read) };
  refuseOpenDoor(http);
  const unknown = findUnknownVariables(sources.environment, { settings: everySetting, otherVariables: [] });
  return { configuration, http, warnings: [...unknown, ...warnings, ...findUnused(read, http)] };
}

type Server = Pick<
  HttpConfiguration,
  'host' | 'port' | 'isStateful' | 'legacySse' | 'sessionIdleMs' | 'shutdownGraceMs'
>;

function readServer(read: ReadSetting): Server {
  return {
    host: read(settings.host, '127.0.0.1'),
    port: read(settings.port, 3_000),
    isStateful: read(settings.stateful, false),
    legacySse: read(settings.legacySse, false),
    sessionIdleMs: read(settings.sessionIdleSeconds, 600) * 1_000,
    shutdownGraceMs: read(settings.shutdownSeconds, 2) * 1_000,
  };
}

type Access = Pick<
  HttpConfiguration,
  'token' | 'tokenFile' | 'principalsFile' | 'oauth' | 'allowedHosts' | 'allowedOrigins'
>;

function readAccess(read: ReadSetting): Access {
  const token = read(settings.token, null);
  const tokenFile = read(settings.tokenFile, null);
  return {
    token,
    tokenFile: token === null ? tokenFile : null,
    principalsFile: read(settings.principalsFile, null),
    oauth: readOAuth(read),
    allowedHosts: read(settings.allowedHosts, []),
    allowedOrigins: read(settings.allowedOrigins, []),
  };
}

function readOAuth(read: ReadSetting): HttpConfiguration['oauth'] {
  const issuer = read(settings.oauthIssuer, null);
  const audience = read(settings.oauthAudience, null);
  if (issuer !== null && audience !== null) {
    return { issuer, audience };
  }
  if (issuer === null && audience === null) {
    return null;
  }
  const { oauthIssuer, oauthAudience } = settings;
  const [given, missing] = issuer === null ? [oauthAudience, oauthIssuer] : [oauthIssuer, oauthAudience];
  throw new ConfigurationError(
    `${given.variable} (--${given.flag}): it needs ${missing.variable} (--${missing.flag}), which is not set`,
  );
}

type Limits = Pick<
  HttpConfiguration,
  'maxBodyBytes' | 'maxConnections' | 'maxRequests' | 'requestsPerMinute' | 'maxSessions'
>;

function readLimits(read: ReadSetting): Limits {
  return {
    maxBodyBytes: read(settings.maxBodyBytes, 4_194_304),
    maxConnections: read(settings.maxConnections, 1_024),
    maxRequests: read(settings.maxRequests, 64),
    requestsPerMinute: read(settings.rateLimit, 600),
    maxSessions: read(settings.maxSessions, 1_000),
  };
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

/** What was set and does nothing together with the rest. */
function findUnused(read: ReadSetting, { token, isStateful, legacySse }: HttpConfiguration): ConfigurationWarning[] {
  const isSet = (setting: Setting<unknown>): boolean => read(setting, null) !== null;
  const ofSessions = [settings.sessionIdleSeconds, settings.maxSessions].filter(isSet);
  const withoutSessions = ofSessions.map(({ variable }) => ({
    variable,
    message: `It has no effect: there are sessions only with ${settings.stateful.variable} or ${settings.legacySse.variable}.`,
  }));
  return [
    ...(token !== null && isSet(settings.tokenFile)
      ? [{ variable: settings.tokenFile.variable, message: `It has no effect: ${settings.token.variable} is set.` }]
      : []),
    ...(isStateful || legacySse ? [] : withoutSessions),
  ];
}
