import type { Log } from '@gemini-mcp/server';
import type { HttpConfiguration } from '../settings/read-http-configuration.ts';
import { FailureThrottle } from './failure-throttle.ts';
import { OAuthVerifier } from './oauth/oauth-verifier.ts';
import type { Principal } from './principal.ts';
import { localPrincipal } from './principal.ts';
import { readLocalToken } from './tokens/read-local-token.ts';
import { readPrincipals, type StaticToken, StaticTokens, stampOf, tokenDigest } from './tokens/read-principals.ts';

export type AccessSettings = Pick<HttpConfiguration, 'token' | 'tokenFile' | 'principalsFile' | 'oauth'>;

/** Who may use the server. */
export type Access = {
  readonly staticTokens: StaticTokens;
  readonly throttle: FailureThrottle;
  /** The entries of the principals file as the server started with it. */
  readonly principals: readonly Principal[];
  /** Of the file when it was read, or before; null without a file. */
  readonly stamp: string | null;
  /** Whether there can be more than one principal. */
  readonly hasSeveralOwners: boolean;
  /** The operator's token; null if only others may use the server. */
  readonly localToken: { readonly token: string; readonly generated: boolean } | null;
};

/**
 * Reads tokens and principals from the settings. Creates a token if no token is configured. Rejects with a `ConfigurationError`
 * if a file or value is invalid.
 */
export async function openAccess({ token, tokenFile, principalsFile, oauth }: AccessSettings): Promise<Access> {
  const stamp = principalsFile === null ? null : await stampOf(principalsFile);
  const principals = principalsFile === null ? [] : await readPrincipals(principalsFile);
  const isOnlyForOthers = token === null && tokenFile === null && (principalsFile !== null || oauth !== null);
  const localToken = isOnlyForOthers ? null : await readLocalToken({ value: token, file: tokenFile });
  const local: readonly StaticToken[] =
    localToken === null ? [] : [{ sha256: tokenDigest(localToken.token), principal: localPrincipal }];
  return {
    staticTokens: new StaticTokens(local, principals),
    throttle: new FailureThrottle(),
    principals: principals.map(({ principal }) => principal),
    stamp,
    hasSeveralOwners: oauth !== null || local.length + principals.length > 1,
    localToken,
  };
}

/** Null if OAuth is not configured. */
export function openOAuth({ oauth }: Pick<HttpConfiguration, 'oauth'>, log: Log): OAuthVerifier | null {
  if (oauth === null) {
    return null;
  }
  return new OAuthVerifier({ ...oauth, onIssuerFailure: (reason) => log.warn('issuer-unavailable', { reason }) });
}
