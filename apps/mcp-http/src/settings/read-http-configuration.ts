import {
  ConfigurationError,
  type ConfigurationRead,
  type ConfigurationSources,
  type ConfigurationWarning,
  findUnknownVariables,
  type HttpSettingValues,
  httpSettings,
  profiles,
  readConfiguration,
  readSettings,
} from '@gemini-mcp/server';
import { refuseOpenBind } from '../operation/refuse-open-bind.ts';
import { everySetting } from './every-setting.ts';
import { fixedHttpSizes, type HttpConfiguration } from './http-configuration.ts';

export type HttpConfigurationRead = ConfigurationRead & {
  readonly http: HttpConfiguration;
};

/**
 * Reads everything that can be set for the HTTP server. Throws a `ConfigurationError` that names the variable or the flag
 * which is wrong, also where others than this machine could reach the server and the operator has not said who may use it. Shows no token.
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

/** What was set and the rest of the settings makes void. */
function findWithoutEffect({
  token,
  tokenFile,
}: Pick<HttpSettingValues, 'token' | 'tokenFile'>): readonly ConfigurationWarning[] {
  const message = `It has no effect: ${httpSettings.token.variable} is set.`;
  return token !== null && tokenFile !== null ? [{ variable: httpSettings.tokenFile.variable, message }] : [];
}
