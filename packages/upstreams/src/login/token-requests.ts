import { randomUUID } from 'node:crypto';
import type { Clock } from '@gemini-mcp/core';
import type { ClientRegistration, IssuedTokens, ServerCredential } from '@gemini-mcp/core/internal';
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Refreshed } from './credential-keeper.ts';
import { describeLoginError } from './describe-login-error.ts';
import { type AuthorizationParts, loadAuthorization } from './load-authorization.ts';
import { LoginProblem } from './login-subject.ts';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Converts a registration to the SDK's form for token requests. */
export function clientInformation({ id, secret, method }: ClientRegistration): OAuthClientInformationMixed {
  return {
    client_id: id,
    ...(secret !== null && { client_secret: secret }),
    ...(method !== null && { token_endpoint_auth_method: method }),
  };
}

type TokenEndpoint = {
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly tokenMethods: readonly string[];
};

/** The metadata that the SDK reads for token requests. */
function tokenMetadata({ issuer, tokenUrl, tokenMethods }: TokenEndpoint): AuthorizationServerMetadata {
  return {
    issuer,
    authorization_endpoint: tokenUrl,
    token_endpoint: tokenUrl,
    response_types_supported: ['code'],
    ...(tokenMethods.length > 0 && { token_endpoint_auth_methods_supported: [...tokenMethods] }),
  };
}

/** Adds `audience`: some issuers require it besides `resource`. */
export function withAudiences(fetch: Fetch, audiences: readonly string[]): Fetch {
  return async (url, init = {}) => {
    const { body } = init;
    if (!(body instanceof URLSearchParams) || audiences.length === 0) {
      return await fetch(url, init);
    }
    const said = new URLSearchParams(body);
    for (const audience of audiences) {
      said.append('audience', audience);
    }
    return await fetch(url, { ...init, body: said });
  };
}

const longestLifeS = 10 * 365 * 86_400;

/** Throws a `LoginProblem` for tokens that cannot be sent. `asked` are the scopes if the issuer does not list the granted ones. */
export function readTokens(
  tokens: OAuthTokens,
  { nowMs, asked }: { readonly nowMs: number; readonly asked: readonly string[] },
): { readonly tokens: IssuedTokens; readonly serial: string } {
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope, token_type: type } = tokens;
  if (!/^bearer$/i.test(type) || !/^[\x21-\x7e]{1,100000}$/.test(access)) {
    throw new LoginProblem('Its issuer granted a token of an unsupported type.');
  }
  const isTimed = seconds !== undefined && Number.isFinite(seconds) && seconds >= 0;
  return {
    serial: randomUUID(),
    tokens: {
      access,
      refresh: refresh || null,
      expiresAtMs: isTimed ? nowMs + Math.min(seconds, longestLifeS) * 1_000 : null,
      scopes: scope === undefined ? asked : soundScopes(scope.split(' ')),
    },
  };
}

type RefreshTokensOptions = {
  readonly clock: Clock;
  readonly audiences: readonly string[];
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
};

/** Renews a credential's tokens at its issuer, at the address from the login. Never rejects. */
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

/** A failing issuer says nothing about the token, whatever it writes. */
function isFinal(error: unknown, status: number, parts: AuthorizationParts): boolean {
  const refusals = [parts.InvalidGrantError, parts.InvalidClientError, parts.UnauthorizedClientError];
  return (status === 400 || status === 401) && refusals.some((refusal) => error instanceof refusal);
}

/** Revokes the tokens at the issuer (RFC 7009). Resolves to whether that worked; never rejects. */
export async function revokeTokens(
  { revocationUrl, client, tokens }: ServerCredential,
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>,
): Promise<boolean> {
  if (revocationUrl === null) {
    return false;
  }
  const body = new URLSearchParams({ token: tokens.refresh ?? tokens.access });
  body.set('token_type_hint', tokens.refresh === null ? 'access_token' : 'refresh_token');
  const headers = new Headers({ accept: 'application/json' });
  if (client.secret !== null && client.method !== 'client_secret_post') {
    const pair = `${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  } else {
    body.set('client_id', client.id);
    if (client.secret !== null) {
      body.set('client_secret', client.secret);
    }
  }
  try {
    return (await fetch(revocationUrl, { method: 'POST', headers, body })).ok;
  } catch {
    return false;
  }
}

const maxScopes = 100;

/** Keeps only valid scopes (RFC 6749) from an untrusted list, and no more than fit into a link. */
export function soundScopes(scopes: readonly string[]): readonly string[] {
  return scopes.filter((scope) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(scope)).slice(0, maxScopes);
}
