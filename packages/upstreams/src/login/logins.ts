import {
  type KnownLogin,
  type LoginEnd,
  type LoginKey,
  type LoginRequest,
  type LogoutEnd,
  RecentlyUsed,
  type ServerCredential,
  type ServerLogins,
} from '@gemini-mcp/core/internal';
import { CredentialKeeper } from './credential-keeper.ts';
import { type GoogleEndpoints, GoogleLogin } from './google-login.ts';
import { createGuardedFetch, EndpointJudge } from './guarded-fetch.ts';
import { type LoginDependencies, logIn } from './log-in.ts';
import type { LoginSubject } from './login-subject.ts';
import { loginAddress } from './login-subject.ts';
import { OAuthLogin, type ServerLogin } from './server-login.ts';
import { refreshTokens, revokeTokens } from './token-requests.ts';

/** A server that one can log in to, or a sentence for the user on why not. */
export type FoundSubject =
  | {
      readonly found: true;
      readonly subject: LoginSubject;
      /** The headers from the settings, with every reference filled in. */
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly found: false; readonly detail: string };

export type LoginsOptions = LoginDependencies & {
  /** Looks up the server in its owner's settings. A shared server has an owner of its own. Never rejects. */
  readonly find: (place: LoginKey) => Promise<FoundSubject>;
  /**
   * Whether every owner is the person who runs this server. Only then, or if that person shares a server, may owners use the Google credentials of
   * this machine.
   */
  readonly isOfOneUser: boolean;
  readonly google?: GoogleEndpoints;
};

/** Evicting a keeper is safe: two keepers of one credential renew it once, as two processes do. */
const maxKeepers = 1_000;

/** All logins of this process. */
export class Logins implements ServerLogins {
  readonly #options: LoginsOptions;
  readonly #keepers = new RecentlyUsed<CredentialKeeper>({ max: maxKeepers, mayGo: (keeper) => keeper.isIdle });

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** The login of one owner at one server. `headers` are those of the settings: with an authorization header the server needs no login. */
  of(subject: LoginSubject, headers: Readonly<Record<string, string>>): ServerLogin {
    const { fetch, clock, google, isOfOneUser } = this.#options;
    if (whyNoLogin(subject, headers) !== null) {
      return { ...withoutLogin, fetch };
    }
    if (subject.entry.authProviderType === 'dynamic_discovery') {
      return new OAuthLogin({ subject, keeper: this.#keeperOf(subject), fetch, clock });
    }
    return isOfOneUser || subject.entry.isShared
      ? new GoogleLogin({ subject, fetch, clock, ...(google && { google }) })
      : notShared;
  }

  async login(request: LoginRequest, signal: AbortSignal): Promise<LoginEnd> {
    const found = await this.#options.find(request);
    if (!found.found) {
      return { type: 'failed', detail: found.detail };
    }
    const why = whyNoLogin(found.subject, found.headers) ?? whyNoOAuth(found.subject);
    return why === null
      ? await logIn(found.subject, request, this.#options, signal)
      : { type: 'not-needed', detail: why };
  }

  async logout(place: LoginKey, signal: AbortSignal): Promise<LogoutEnd> {
    const found = await this.#options.find(place);
    if (!found.found) {
      return { type: 'failed', detail: found.detail };
    }
    const { store } = this.#options;
    const where = { owner: found.subject.owner, server: loginAddress(found.subject.url) };
    try {
      // An unreadable credential can still be removed.
      const kept = await store.find(where, signal).catch(() => 'unreadable' as const);
      signal.throwIfAborted();
      const problem = await store.remove(where, signal);
      if (problem !== null) {
        return { type: 'failed', detail: problem };
      }
      if (kept === null) {
        return { type: 'none' };
      }
      return kept === 'unreadable'
        ? { type: 'logged-out', isRevoked: false }
        : { type: 'logged-out', isRevoked: await revokeTokens(kept.credential, this.#guarded(where.server, signal)) };
    } catch (error) {
      return { type: 'failed', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  async known(place: LoginKey, signal: AbortSignal): Promise<KnownLogin> {
    try {
      const found = await this.#options.find(place);
      if (!found.found) {
        return { type: 'none' };
      }
      const where = { owner: found.subject.owner, server: loginAddress(found.subject.url) };
      const kept = await this.#options.store.find(where, signal);
      return kept === null ? { type: 'none' } : describeKnown(kept.credential);
    } catch {
      return { type: 'none' };
    }
  }

  /** Resolves once no renewal is running: new tokens that are not saved are lost. */
  async close(): Promise<void> {
    await Promise.all([...this.#keepers.values()].map((keeper) => keeper.settled()));
  }

  #keeperOf({ entry, url, owner }: LoginSubject): CredentialKeeper {
    const server = loginAddress(url);
    const audiences = entry.oauth?.audiences ?? [];
    const key = JSON.stringify([owner, server, audiences]);
    const { store, clock } = this.#options;
    const signal = new AbortController().signal;
    const make = (): CredentialKeeper =>
      new CredentialKeeper({
        owner,
        server,
        store,
        clock,
        refresh: (credential) => refreshTokens(credential, { clock, audiences, fetch: this.#guarded(server, signal) }),
      });
    return this.#keepers.use(key, make);
  }

  #guarded(server: string, signal: AbortSignal) {
    const { fetch, clock, lookup } = this.#options;
    return createGuardedFetch({ fetch, clock, judge: new EndpointJudge(new URL(server), lookup) }, signal);
  }
}

const withoutLogin: Omit<ServerLogin, 'fetch'> = { hasNewLogin: async () => false, whyRefused: async () => null };

const notShared: ServerLogin = {
  ...withoutLogin,
  fetch: async () => {
    const cause = new Error(
      'the Google credentials of this machine are not yours: its operator has to share this server',
    );
    throw new TypeError('fetch failed', { cause });
  },
};

function whyNoLogin({ entry }: LoginSubject, headers: Readonly<Record<string, string>>): string | null {
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
    return 'Its settings already have an Authorization header.';
  }
  return entry.oauth?.isEnabled === false ? 'oauth.enabled of its settings is false.' : null;
}

function whyNoOAuth({ entry }: LoginSubject): string | null {
  return entry.authProviderType === 'dynamic_discovery'
    ? null
    : 'It uses the Google credentials of this machine. To change them, run gcloud auth application-default login.';
}

function describeKnown({ issuer, tokens, refusal }: ServerCredential): KnownLogin {
  return refusal === null
    ? { type: 'logged-in', issuer, scopes: tokens.scopes }
    : { type: 'refused', issuer, detail: refusal };
}
