import type { AuthorizationServerMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { OAuthEntry } from '../settings/read-server-entry.ts';
import type { EndpointJudge } from './guarded-fetch.ts';
import type { AuthorizationParts } from './load-authorization.ts';
import { LoginProblem } from './login-subject.ts';
import { soundScopes } from './token-requests.ts';

/** Where to log in to a server, and for which rights. */
export type FoundIssuer = {
  readonly metadata: AuthorizationServerMetadata;
  /** The server's own identifier, or null. */
  readonly resource: string | null;
  /** The rights that the server asks for, or an empty list. */
  readonly scopes: readonly string[];
};

type FindIssuerOptions = {
  readonly parts: AuthorizationParts;
  /** The server's address in credentials. */
  readonly server: string;
  readonly oauth: OAuthEntry | null;
  /** The challenge of the server's refusal; empty if it sent none. */
  readonly challenge: string;
  readonly judge: EndpointJudge;
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
};

/** Finds the issuer from the settings, the server and the issuer itself. Rejects with a `LoginProblem`, or as `fetch` does. */
export async function findIssuer(options: FindIssuerOptions): Promise<FoundIssuer> {
  const { parts, challenge, oauth } = options;
  const said = parts.extractWWWAuthenticateParams(
    new Response(null, { headers: { 'www-authenticate': challenge.replace(/[^\t\x20-\x7e]/g, '') } }),
  );
  const resource = await findResource(options, said.resourceMetadataUrl);
  const metadata = await findMetadata(options, oauth?.issuer ?? resource?.issuer ?? null);
  const wanted = soundScopes(said.scope?.split(' ') ?? resource?.scopes ?? []);
  const scopes = (oauth?.scopes.length ?? 0) > 0 ? (oauth?.scopes ?? []) : wanted;
  return { metadata, resource: resource?.name ?? null, scopes };
}

type FoundResource = { readonly name: string; readonly issuer: string | null; readonly scopes: readonly string[] };

/** Null for a server without resource metadata. */
async function findResource(
  { parts, server, fetch, judge }: FindIssuerOptions,
  resourceMetadataUrl: URL | undefined,
): Promise<FoundResource | null> {
  if (resourceMetadataUrl !== undefined) {
    await judge.check(resourceMetadataUrl);
  }
  let refusal: unknown = null;
  const asked: typeof fetch = (url, init) =>
    fetch(url, init).catch((error: unknown) => {
      refusal = error;
      throw error;
    });
  const found = await parts
    .discoverOAuthProtectedResourceMetadata(server, { ...(resourceMetadataUrl && { resourceMetadataUrl }) }, asked)
    .catch(() => null);
  if (found === null) {
    if (refusal !== null) {
      throw refusal;
    }
    return null;
  }
  if (!isOurs(parts, found.resource, server)) {
    throw new LoginProblem(
      'Its metadata names another server for its logins. A login would not work here, or would go to that server.',
    );
  }
  return {
    name: found.resource,
    issuer: found.authorization_servers?.[0] ?? null,
    scopes: found.scopes_supported ?? [],
  };
}

function isOurs({ checkResourceAllowed }: AuthorizationParts, configuredResource: string, server: string): boolean {
  return (
    URL.canParse(configuredResource) &&
    /^https?:/i.test(configuredResource) &&
    checkResourceAllowed({ requestedResource: server, configuredResource })
  );
}

async function findMetadata(options: FindIssuerOptions, named: string | null): Promise<AuthorizationServerMetadata> {
  const { parts, server, oauth, fetch, judge } = options;
  const issuer = named ?? new URL('/', server).href;
  const fixed = fixedMetadata(oauth, issuer);
  if (fixed !== null) {
    await checkEndpoints(fixed, judge);
    return fixed;
  }
  await judge.check(issuer);
  const metadata = await parts.discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  if (metadata === undefined) {
    throw new LoginProblem('Neither it nor its issuer says how to log in. If you know, set oauth in its settings.');
  }
  if (!isSameIssuer(metadata.issuer, issuer)) {
    throw new LoginProblem('Its issuer identifies itself by another name than its own address. That may be an attack.');
  }
  const whole = { ...metadata, ...namedEndpoints(oauth) };
  await checkEndpoints(whole, judge);
  return whole;
}

/** Settings that name every endpoint need no discovery. */
function fixedMetadata(oauth: OAuthEntry | null, issuer: string): AuthorizationServerMetadata | null {
  const { authorizationUrl = null, tokenUrl = null } = oauth ?? {};
  if (authorizationUrl === null || tokenUrl === null) {
    return null;
  }
  return {
    issuer: oauth?.issuer ?? (URL.canParse(tokenUrl) ? new URL(tokenUrl).origin : issuer),
    authorization_endpoint: authorizationUrl,
    token_endpoint: tokenUrl,
    response_types_supported: ['code'],
    ...(oauth?.registrationUrl && { registration_endpoint: oauth.registrationUrl }),
  };
}

/** A server may name any issuer. If the settings name only the token endpoint, no token or secret goes to the issuer that the server names. */
function namedEndpoints(oauth: OAuthEntry | null): Partial<AuthorizationServerMetadata> {
  const isIssuerUnknown = oauth?.tokenUrl != null && oauth.issuer == null;
  return {
    ...(isIssuerUnknown && { revocation_endpoint: undefined }),
    ...(oauth?.authorizationUrl && { authorization_endpoint: oauth.authorizationUrl }),
    ...(oauth?.tokenUrl && { token_endpoint: oauth.tokenUrl }),
    ...(oauth?.registrationUrl && { registration_endpoint: oauth.registrationUrl }),
  };
}

/** The revocation endpoint, or null. */
export function revocationUrlOf(metadata: AuthorizationServerMetadata): string | null {
  const url = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  return typeof url === 'string' ? url : null;
}

async function checkEndpoints(metadata: AuthorizationServerMetadata, judge: EndpointJudge): Promise<void> {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  for (const endpoint of [authorization_endpoint, token_endpoint, registration_endpoint, revocationUrlOf(metadata)]) {
    await (endpoint === undefined || endpoint === null ? undefined : judge.check(endpoint));
  }
}

/** Whether two names denote one issuer. Ignores a trailing slash: some issuers write it and some do not. */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(issuer: string): string {
  return issuer.endsWith('/') ? issuer.slice(0, -1) : issuer;
}
