/** Our registration with an authorization server. */
export type ClientRegistration = {
  readonly id: string;
  readonly secret: string | null;
  /** How the token endpoint wants it: null for the usual way. */
  readonly method: string | null;
  /** Milliseconds since the epoch; null for a secret that does not expire. */
  readonly secretExpiresAtMs: number | null;
  readonly redirectUri: string;
  /** For which rights it was registered. */
  readonly scopes: readonly string[];
};

export type IssuedTokens = {
  readonly access: string;
  readonly refresh: string | null;
  /** Milliseconds since the epoch; null where the issuer does not say. */
  readonly expiresAtMs: number | null;
  readonly scopes: readonly string[];
};

/** What an issuer has given one owner for one resource. */
export type ServerCredential = {
  /** The address of the MCP server. It is sent to no other. */
  readonly server: string;
  /** As the tokens were asked for; null where the server names none. */
  readonly resource: string | null;
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly tokenMethods: readonly string[];
  readonly revocationUrl: string | null;
  readonly client: ClientRegistration;
  /** Every copy of tokens has another number, so that a refusal of the old ones says nothing about the new. */
  readonly serial: string;
  readonly tokens: IssuedTokens;
  /** Why the issuer does not renew the tokens any more; null while it does. */
  readonly refusal: string | null;
  /** Rights that the server asked for, to be asked for with the next login. */
  readonly wantedScopes: readonly string[];
  /** The lease of the process that is renewing the tokens, which extends it meanwhile; null if no process is. */
  readonly renewal: { readonly by: string; readonly untilMs: number } | null;
  readonly updatedAtMs: number;
};

export type StoredCredential = { readonly credential: ServerCredential; readonly version: number };

export type CredentialSave =
  | { readonly saved: true; readonly version: number }
  /** Another version is there by now. */
  | { readonly saved: false; readonly reason: 'conflict' }
  | { readonly saved: false; readonly reason: 'unavailable'; readonly detail: string };

export type CredentialKey = { readonly owner: string; readonly server: string };

export type CredentialToSave = { readonly credential: ServerCredential; readonly expectedVersion: number };
