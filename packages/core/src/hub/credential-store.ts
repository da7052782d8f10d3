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
  /** Who is having the tokens renewed, and since when; null while no one does. */
  readonly renewal: { readonly by: string; readonly sinceMs: number } | null;
  readonly updatedAtMs: number;
};

export type KeptCredential = { readonly credential: ServerCredential; readonly version: number };

export type CredentialSave =
  | { readonly saved: true; readonly version: number }
  /** Another version is there by now. */
  | { readonly saved: false; readonly reason: 'conflict' }
  | { readonly saved: false; readonly reason: 'unavailable'; readonly detail: string };

/**
 * Keeps credentials by owner, issuer and server. An implementer owes that only this user can read them, that they are there whole or as they
 * were before, whatever is killed, and that of several who save over one version one succeeds, in whichever processes they are.
 */
export interface CredentialStore {
  /**
   * Makes ready what `save` needs, before a user is asked to log in. Resolves to null, or to why nothing can be kept now, for a user, as far
   * as that can be told without saving. Never rejects.
   */
  prepare(): Promise<string | null>;
  /**
   * The newest for a server, by `updatedAtMs`. A record that cannot be read is none. Rejects, with words for a user, where it cannot be known
   * whether there is one, and with the reason of an abort.
   */
  find(place: CredentialPlace, signal: AbortSignal): Promise<KeptCredential | null>;
  /**
   * Saves where `expectedVersion` is the newest; 0 where there must be none for that issuer and server. No version comes back.
   * Never rejects but for an abort, and then nothing is saved.
   */
  save(owner: string, kept: CredentialToSave, signal: AbortSignal): Promise<CredentialSave>;
  /** Takes away all credentials for a server. Resolves to null, or to why not, for a user. Never rejects but for an abort. */
  remove(place: CredentialPlace, signal: AbortSignal): Promise<string | null>;
  /** A name for somebody in this process who renews tokens. */
  readonly renewer: string;
  /** Whether the process of a renewer runs. A hint: one in another container seems not to. */
  runs(renewer: string): boolean;
}

export type CredentialPlace = { readonly owner: string; readonly server: string };

export type CredentialToSave = { readonly credential: ServerCredential; readonly expectedVersion: number };
