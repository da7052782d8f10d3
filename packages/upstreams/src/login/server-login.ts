import type { Clock } from '@gemini-mcp/core';
import type { ServerCredential } from '@gemini-mcp/core/internal';
import { configuredClientId } from './choose-client.ts';
import type { CredentialKeeper } from './credential-keeper.ts';
import type { LoginSubject } from './login-subject.ts';
import { loginAddress } from './login-subject.ts';
import { soundScopes } from './token-requests.ts';

/** What a connection to a server needs of its login. */
export type ServerLogin = {
  /** As the `fetch` of the connection, with the login in each request to the server, and to no other. */
  readonly fetch: typeof fetch;
  /** Whether there is a login that the server has not refused yet. Reads the store, where other processes write too. Never rejects. */
  readonly hasNewLogin: () => Promise<boolean>;
  /** Why a login that there was is of no use any more: sentences for a user, or null. Never rejects. */
  readonly whyRefused: () => Promise<string | null>;
};

type OAuthLoginOptions = {
  readonly subject: LoginSubject;
  readonly keeper: CredentialKeeper;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
};

/** Tokens are renewed so long before they expire: a request takes its time. */
const marginMs = 30_000;

/** The login of one owner to one server, by tokens of an issuer. */
export class OAuthLogin implements ServerLogin {
  readonly #options: OAuthLoginOptions;
  readonly #server: URL;
  #refusedSerial: string | null = null;

  constructor(options: OAuthLoginOptions) {
    this.#options = options;
    this.#server = new URL(loginAddress(options.subject.url));
  }

  readonly fetch: typeof fetch = async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (input instanceof Request || url.origin !== this.#server.origin) {
      return await this.#options.fetch(input, init);
    }
    const credential = await this.#usable();
    const response = await this.#send(url, init, credential);
    if (response.status === 403 && credential !== null) {
      return await this.#tellScopes(response);
    }
    if (response.status !== 401 || credential === null) {
      return response;
    }
    return await this.#tryAgain({ url, init, credential, response });
  };

  readonly hasNewLogin = async (): Promise<boolean> => {
    try {
      const credential = this.#ofClient(await this.#options.keeper.newest());
      return credential !== null && credential.refusal === null && credential.serial !== this.#refusedSerial;
    } catch {
      return false;
    }
  };

  readonly whyRefused = async (): Promise<string | null> => {
    const credential = await this.#options.keeper.newest().catch(() => null);
    return credential?.refusal ?? null;
  };

  /** Null for no login. Rejects as `fetch` does, where it is there and cannot be used for now. */
  async #usable(): Promise<ServerCredential | null> {
    const { keeper, clock } = this.#options;
    const credential = this.#ofClient(await keeper.current().catch(failAsFetch));
    if (credential === null || credential.tokens.refresh === null || credential.refusal !== null) {
      return credential;
    }
    const expiresAtMs = credential.tokens.expiresAtMs ?? Number.POSITIVE_INFINITY;
    if (clock.now() < expiresAtMs - marginMs) {
      return credential;
    }
    const renewal = await keeper.renew(credential.serial);
    if (renewal.type === 'failed' && clock.now() >= expiresAtMs) {
      throw unreachable(renewal.detail);
    }
    return renewal.type === 'renewed' ? renewal.credential : credential;
  }

  /** A credential of a client that the settings do not name any more is none. */
  #ofClient(credential: ServerCredential | null): ServerCredential | null {
    const { entry, values } = this.#options.subject;
    try {
      const id = configuredClientId(entry.oauth, values);
      return id === null || id === credential?.client.id ? credential : null;
    } catch {
      return null;
    }
  }

  async #tryAgain({ url, init, credential, response }: Refused): Promise<Response> {
    const { body } = init;
    if (typeof body !== 'string' && body !== undefined && body !== null) {
      this.#refusedSerial = credential.serial;
      return response;
    }
    const renewal = await this.#options.keeper.renew(credential.serial);
    if (renewal.type === 'gone') {
      this.#refusedSerial = credential.serial;
      return response;
    }
    await response.body?.cancel().catch(() => undefined);
    if (renewal.type === 'failed') {
      throw unreachable(renewal.detail);
    }
    const second = await this.#send(url, init, renewal.credential);
    this.#refusedSerial = second.status === 401 ? renewal.credential.serial : this.#refusedSerial;
    return second;
  }

  async #send(url: URL, init: RequestInit, credential: ServerCredential | null): Promise<Response> {
    const { fetch, subject } = this.#options;
    if (credential === null) {
      return await fetch(url, init);
    }
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${credential.tokens.access}`);
    const parameter = subject.entry.oauth?.tokenParamName ?? null;
    if (parameter !== null && subject.entry.transport.type === 'sse') {
      const named = new URL(url);
      named.searchParams.set(parameter, credential.tokens.access);
      return await fetch(named, { ...init, headers });
    }
    return await fetch(url, { ...init, headers });
  }

  /** What the server wants is asked for with the next login; until then its other tools are of use. */
  async #tellScopes(response: Response): Promise<Response> {
    const scopes = readWantedScopes(response.headers.get('www-authenticate') ?? '');
    if (scopes === null) {
      return response;
    }
    await response.body?.cancel().catch(() => undefined);
    await this.#options.keeper.want(scopes);
    const named = scopes.length > 0 ? `: ${scopes.join(', ')}` : '';
    return new Response(`It wants more rights than its login has${named}. Log in to it again to grant them.`, {
      status: 403,
      headers: { 'content-type': 'text/plain' },
    });
  }
}

type Refused = {
  readonly url: URL;
  readonly init: RequestInit;
  readonly credential: ServerCredential;
  readonly response: Response;
};

function failAsFetch(error: unknown): never {
  throw unreachable(error instanceof Error ? error.message : String(error), 'used');
}

/** As `fetch` rejects when nothing was sent. */
function unreachable(why: string, what: 'renewed' | 'used' = 'renewed'): TypeError {
  return new TypeError('fetch failed', {
    cause: new Error(`its login cannot be ${what} now. ${why}`.replace(/\.$/, '')),
  });
}

const maxScopes = 20;

/** The rights that a server misses in a login; null where it misses none. Words that can be no scope are left out. */
function readWantedScopes(challenge: string): readonly string[] | null {
  const said = challenge.slice(0, 2_000);
  if (!/^bearer\b/i.test(said) || !/\berror="?insufficient_scope\b/.test(said)) {
    return null;
  }
  const [, scope = ''] = /\bscope="([^"]*)"/.exec(said) ?? [];
  return soundScopes(scope.split(' ')).slice(0, maxScopes);
}
