import { randomUUID } from 'node:crypto';
import type { ClientRegistration, IssuedTokens } from '@gemini-mcp/core/internal';
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { LoginProblem } from './login-subject.ts';
import { soundScopes } from './sound-scopes.ts';

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** As the SDK wants it for requests to a token endpoint. */
export function clientInformation({ id, secret, method }: ClientRegistration): OAuthClientInformationMixed {
  return {
    client_id: id,
    ...(secret !== null && { client_secret: secret }),
    ...(method !== null && { token_endpoint_auth_method: method }),
  };
}

export type TokenEndpoint = {
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly tokenMethods: readonly string[];
};

/** What the SDK reads of metadata for requests to a token endpoint. */
export function tokenMetadata({ issuer, tokenUrl, tokenMethods }: TokenEndpoint): AuthorizationServerMetadata {
  return {
    issuer,
    authorization_endpoint: tokenUrl,
    token_endpoint: tokenUrl,
    response_types_supported: ['code'],
    ...(tokenMethods.length > 0 && { token_endpoint_auth_methods_supported: [...tokenMethods] }),
  };
}

/** Some issuers want to be told for whom a token is, besides its `resource`. */
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

/** Throws a `LoginProblem` for tokens that cannot be sent. `asked` are the scopes if the issuer does not say which it has granted. */
export function readTokens(
  tokens: OAuthTokens,
  { nowMs, asked }: { readonly nowMs: number; readonly asked: readonly string[] },
): { readonly tokens: IssuedTokens; readonly serial: string } {
  const { access_token: access, refresh_token: refresh, expires_in: seconds, scope, token_type: type } = tokens;
  if (!/^bearer$/i.test(type) || !/^[\x21-\x7e]{1,100000}$/.test(access)) {
    throw new LoginProblem('Its issuer gave a token that is of no kind which can be sent to it.');
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
