import type { Clock } from '@gemini-mcp/core';
import type { ServerCredential } from '@gemini-mcp/core/internal';
import type { Refreshed } from './credential-keeper.ts';
import { describeLoginError } from './describe-login-error.ts';
import { type AuthorizationParts, loadAuthorization } from './load-authorization.ts';
import { clientInformation, readTokens, tokenMetadata, withAudiences } from './token-requests.ts';

export type RefreshTokensOptions = {
  readonly clock: Clock;
  readonly audiences: readonly string[];
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
};

/** Has the tokens of a credential renewed by its issuer, at the address that it had at the login. Never rejects. */
export async function refreshTokens(credential: ServerCredential, options: RefreshTokensOptions): Promise<Refreshed> {
  const { issuer, client, tokens, resource } = credential;
  const parts = await loadAuthorization();
  let status = 0;
  const fetchFn = withAudiences(async (url, init) => {
    const response = await options.fetch(url, init);
    status = response.status;
    return response;
  }, options.audiences);
  try {
    const renewed = await parts.refreshAuthorization(issuer, {
      metadata: tokenMetadata(credential),
      clientInformation: clientInformation(client),
      refreshToken: tokens.refresh ?? '',
      ...(resource !== null && { resource }),
      fetchFn,
    });
    return { type: 'tokens', tokens: readTokens(renewed, { nowMs: options.clock.now(), asked: tokens.scopes }) };
  } catch (error) {
    const detail = describeLoginError(error, parts, [tokens.refresh, tokens.access, client.secret]);
    return { type: isFinal(error, status, parts) ? 'refused' : 'failed', detail };
  }
}

/** An issuer that is out of order says nothing about the token, whatever it writes. */
function isFinal(error: unknown, status: number, parts: AuthorizationParts): boolean {
  const refusals = [parts.InvalidGrantError, parts.InvalidClientError, parts.UnauthorizedClientError];
  return (status === 400 || status === 401) && refusals.some((refusal) => error instanceof refusal);
}
