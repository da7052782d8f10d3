/** A server of one owner, as the user named it. */
export type LoginKey = { readonly owner: string; readonly server: string };

/** An address for the browser of the user. */
export type LoginLink = {
  /** Of https, or on this machine. */
  readonly url: string;
  /** The origin of the issuer that the user logs in to. */
  readonly issuer: string;
  /** The origin that gets the `clientSecret` of the settings; null if there is none. */
  readonly secretGoesTo: string | null;
  /**
   * Takes the address to which a browser on another machine was sent in the end, as the user copied it. False where it is no answer to this
   * login: that one goes on waiting.
   */
  readonly answer: (address: string) => boolean;
};

export type LoginRequest = LoginKey & {
  /** Has a browser of this machine opened, where there is one. */
  readonly opensBrowser: boolean;
  /**
   * Whether a browser of this machine may bring the answer by itself: only for one who sits at it. Otherwise the user of a link need not be the
   * one who asked for it, and that one would get the account of another.
   */
  readonly listens: boolean;
  /** Rights to ask for besides those that the settings or the server name. */
  readonly scopes: readonly string[];
  /** Hears of the link before a browser is opened. It is to be shown, whether one will be opened or not. */
  readonly onLink: (link: LoginLink) => void;
};

export type LoginEnd =
  | { readonly type: 'logged-in'; readonly issuer: string; readonly scopes: readonly string[] }
  /** There is nothing to log in to: `detail` says why, for a user. */
  | { readonly type: 'not-needed'; readonly detail: string }
  /** Nothing has changed. `detail` says what happened and what to do, for a user; what strangers wrote in it is quoted. */
  | { readonly type: 'failed'; readonly detail: string }
  | { readonly type: 'cancelled' };

export type LogoutEnd =
  /** The credential is gone from here. Without `isRevoked` its issuer was not reached, or has no way to end it. */
  | { readonly type: 'logged-out'; readonly isRevoked: boolean }
  | { readonly type: 'none' }
  | { readonly type: 'failed'; readonly detail: string };

/** What is kept of a login. */
export type KnownLogin =
  | { readonly type: 'none' }
  | { readonly type: 'logged-in'; readonly issuer: string; readonly scopes: readonly string[] }
  /** Its issuer does not take it any more. */
  | { readonly type: 'refused'; readonly issuer: string; readonly detail: string };

/**
 * Logs in to other servers. An implementer owes that no method rejects, that no credential is in what they resolve to, and that none of one
 * owner or server serves another.
 */
export interface ServerLogins {
  /** Waits for the user until the login ends, at most some minutes. An abort ends it as `cancelled`. */
  login(request: LoginRequest, signal: AbortSignal): Promise<LoginEnd>;
  logout(place: LoginKey, signal: AbortSignal): Promise<LogoutEnd>;
  known(place: LoginKey, signal: AbortSignal): Promise<KnownLogin>;
}

/** What follows the wish to log in. */
export type LoginBeginning =
  | { readonly type: 'link'; readonly url: string }
  /** It is over already. */
  | LoginEnd;

export type LoginAnswer =
  | LoginEnd
  /** There is no login that waits, or the address is no answer to it. */
  | { readonly type: 'not-awaited' };

/** Logins whose users have no terminal here: they get a link, and come back with the address at which their browser ended. */
export interface BegunLogins {
  /** The link of the login that waits, or of a new one, which waits for some minutes. Never rejects. */
  begin(place: LoginKey): Promise<LoginBeginning>;
  /** Takes the address at which the browser ended. Never rejects. */
  answer(place: LoginKey, address: string): Promise<LoginAnswer>;
  /** Ends all that wait in this process, as cancelled. */
  close(): Promise<void>;
}
