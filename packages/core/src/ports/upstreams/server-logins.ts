/** A server of one owner, by the user's name for it. */
export type LoginKey = { readonly owner: string; readonly server: string };

/** An address for the user's browser. */
export type LoginLink = {
  /** An https address, or one on this machine. */
  readonly url: string;
  /** The origin of the issuer that the user logs in to. */
  readonly issuer: string;
  /** The origin that receives the `clientSecret` of the settings; null without a client secret. */
  readonly secretGoesTo: string | null;
  /**
   * Takes the final address of a browser on another machine, as the user copied it. Returns false if it does not answer this login, which then keeps
   * waiting.
   */
  readonly answer: (address: string) => boolean;
};

export type LoginRequest = LoginKey & {
  /** Opens a browser on this machine, if there is one. */
  readonly opensBrowser: boolean;
  /**
   * Whether a browser on this machine may deliver the answer by itself. Set it only if the requesting user sits at this machine: otherwise the person who
   * opens the link need not be the one who asked for it, who would get the other's account.
   */
  readonly listens: boolean;
  /** Scopes to request besides those of the settings or the server. */
  readonly scopes: readonly string[];
  /** Receives the link before a browser is opened. Show it whether or not one will be. */
  readonly onLink: (link: LoginLink) => void;
};

export type LoginEnd =
  | { readonly type: 'logged-in'; readonly issuer: string; readonly scopes: readonly string[] }
  /** The server needs no login: `detail` says why, for a user. */
  | { readonly type: 'not-needed'; readonly detail: string }
  /** Nothing has changed. `detail` says what happened and what to do, for a user, and quotes untrusted text. */
  | { readonly type: 'failed'; readonly detail: string }
  | { readonly type: 'cancelled' };

export type LogoutEnd =
  /** The credential was deleted here. Without `isRevoked`, its issuer was unreachable or cannot revoke it. */
  | { readonly type: 'logged-out'; readonly isRevoked: boolean }
  | { readonly type: 'none' }
  | { readonly type: 'failed'; readonly detail: string };

/** The stored state of a login. */
export type KnownLogin =
  | { readonly type: 'none' }
  | { readonly type: 'logged-in'; readonly issuer: string; readonly scopes: readonly string[] }
  /** Its issuer no longer accepts it. */
  | { readonly type: 'refused'; readonly issuer: string; readonly detail: string };

/** Logs in to upstreams. Implementations must never reject, return no credential, and use none for another owner or server. */
export interface ServerLogins {
  /** Waits until the user finishes the login, for at most a few minutes. An abort ends it as `cancelled`. */
  login(request: LoginRequest, signal: AbortSignal): Promise<LoginEnd>;
  logout(place: LoginKey, signal: AbortSignal): Promise<LogoutEnd>;
  known(place: LoginKey, signal: AbortSignal): Promise<KnownLogin>;
}

/** The start of a login. */
export type LoginBeginning =
  | { readonly type: 'link'; readonly url: string }
  /** It has already ended. */
  | LoginEnd;

export type LoginAnswer =
  | LoginEnd
  /** No login is waiting, or the address does not answer it. */
  | { readonly type: 'not-awaited' };

/** Logins of users without a terminal here: each gets a link and returns the address at which the browser ended. */
export interface BegunLogins {
  /** The link of the waiting login or of a new one, which waits for a few minutes. Never rejects. */
  begin(place: LoginKey): Promise<LoginBeginning>;
  /** Takes the address at which the browser ended. Never rejects. */
  answer(place: LoginKey, address: string): Promise<LoginAnswer>;
  /** Cancels all logins that wait in this process. */
  close(): Promise<void>;
}
