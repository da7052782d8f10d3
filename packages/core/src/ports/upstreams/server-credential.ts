/** Our client registration with an authorization server. */
export type ClientRegistration = {
  readonly id: string;
  readonly secret: string | null;
  /** The token endpoint's authentication method; null for the default. */
  readonly method: string | null;
  /** Milliseconds since the epoch; null if the secret does not expire. */
  readonly secretExpiresAtMs: number | null;
  readonly redirectUri: string;
  /** The scopes it was registered for. */
  readonly scopes: readonly string[];
};

export type IssuedTokens = {
  readonly access: string;
  readonly refresh: string | null;
  /** Milliseconds since the epoch; null if the issuer does not say. */
  readonly expiresAtMs: number | null;
  readonly scopes: readonly string[];
};

/** The tokens that an issuer gave one owner for one resource. */
export type ServerCredential = {
  /** The address of the MCP server. The tokens are sent to no other address. */
  readonly server: string;
  /** The resource of the token request; null if the server names none. */
  readonly resource: string | null;
  readonly issuer: string;
  readonly tokenUrl: string;
  readonly tokenMethods: readonly string[];
  readonly revocationUrl: string | null;
  readonly client: ClientRegistration;
  /** Different for each set of tokens, so that a refusal of the old ones says nothing about the new. */
  readonly serial: string;
  readonly tokens: IssuedTokens;
  /** Why the issuer refused to renew the tokens; null if it has not. */
  readonly refusal: string | null;
  /** Scopes that the server requested, for the next login. */
  readonly wantedScopes: readonly string[];
  /** The lease of the process that is renewing the tokens, which extends it meanwhile; null if no process is. */
  readonly renewal: { readonly by: string; readonly untilMs: number } | null;
  readonly updatedAtMs: number;
};

export type StoredCredential = { readonly credential: ServerCredential; readonly version: number };

export type CredentialSave =
  | { readonly saved: true; readonly version: number }
  /** Another version was saved in between. */
  | { readonly saved: false; readonly reason: 'conflict' }
  | { readonly saved: false; readonly reason: 'unavailable'; readonly detail: string };

export type CredentialKey = { readonly owner: string; readonly server: string };

export type CredentialToSave = { readonly credential: ServerCredential; readonly expectedVersion: number };
