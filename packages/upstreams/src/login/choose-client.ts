import type { ClientRegistration, ServerCredential } from '@gemini-mcp/core/internal';
import type { AuthorizationServerMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { OAuthEntry, Template } from '../settings/read-server-entry.ts';
import { fillTemplate, type TemplateValues } from '../settings/value-template.ts';
import { isSameIssuer } from './find-issuer.ts';
import type { AuthorizationParts } from './load-authorization.ts';
import { LoginProblem } from './login-subject.ts';

export type ChooseClientOptions = {
  readonly parts: AuthorizationParts;
  readonly metadata: AuthorizationServerMetadata;
  readonly oauth: OAuthEntry | null;
  readonly values: TemplateValues;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The credential of an earlier login, or null. */
  readonly known: ServerCredential | null;
  readonly nowMs: number;
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
};

/**
 * Chooses the OAuth client: the configured one, the one registered at this issuer before, or a new registration. Rejects with a
 * `LoginProblem`, as `fetch` does, or as the SDK does for an issuer's answer.
 */
export async function chooseClient(options: ChooseClientOptions): Promise<ClientRegistration> {
  const { oauth, values, metadata, known, redirectUri, scopes, nowMs } = options;
  const id = configuredClientId(oauth, values);
  if (id !== null) {
    const secret = oauth?.clientSecret ? fill(oauth.clientSecret, values, 'clientSecret') : null;
    if (secret !== null) {
      checkIssuerOfSecret(options);
    }
    return { id, secret, method: null, secretExpiresAtMs: null, redirectUri, scopes };
  }
  const client = known?.client;
  const isOfUse =
    client !== undefined &&
    known?.refusal === null &&
    isSameIssuer(known.issuer, metadata.issuer) &&
    client.redirectUri === redirectUri &&
    scopes.every((scope) => client.scopes.includes(scope)) &&
    (client.secretExpiresAtMs ?? Number.POSITIVE_INFINITY) > nowMs;
  return isOfUse ? client : await register(options);
}

/** Sends the secret only to the issuer that the user knows: a server names its issuer itself, and may name another one tomorrow. */
function checkIssuerOfSecret({ oauth, known, metadata }: ChooseClientOptions): void {
  const isNamed = oauth?.issuer != null || oauth?.tokenUrl != null;
  if (!isNamed && known !== null && !isSameIssuer(known.issuer, metadata.issuer)) {
    throw new LoginProblem(
      `Its login moved from ${known.issuer} to ${metadata.issuer}. Your oauth.clientSecret was not sent there. If the move is right, set oauth.issuer of this server to the new address.`,
    );
  }
}

/** Null if the settings name no client. Throws a `LoginProblem`. */
export function configuredClientId(oauth: OAuthEntry | null, values: TemplateValues): string | null {
  return oauth?.clientId ? fill(oauth.clientId, values, 'clientId') : null;
}

async function register({
  parts,
  metadata,
  redirectUri,
  scopes,
  fetch,
}: ChooseClientOptions): Promise<ClientRegistration> {
  if (metadata.registration_endpoint === undefined) {
    throw new LoginProblem(
      `Its issuer accepts only registered programs. Register one there with the address ${redirectUri}. Then set oauth.clientId of this server to its id, and oauth.redirectUri to that address.`,
    );
  }
  const registered = await parts.registerClient(metadata.issuer, {
    metadata,
    clientMetadata: {
      client_name: 'gemini-mcp-server',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      // Without it an issuer may refuse http redirects, even on this machine.
      ...{ application_type: 'native' },
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    },
    fetchFn: fetch,
  });
  const { client_id, client_secret, client_secret_expires_at: expiresAt = 0, token_endpoint_auth_method } = registered;
  return {
    id: client_id,
    secret: client_secret ?? null,
    method: token_endpoint_auth_method ?? null,
    secretExpiresAtMs: expiresAt === 0 ? null : expiresAt * 1_000,
    redirectUri,
    scopes,
  };
}

function fill(template: Template, values: TemplateValues, property: string): string {
  const filled = fillTemplate(template, values);
  if ('missing' in filled) {
    throw new LoginProblem(`Its oauth.${property} needs ${filled.missing}.`);
  }
  return filled.text;
}
