import type { Clock } from '@gemini-mcp/core';
import type { ServerCredential } from '@gemini-mcp/core/internal';
import { configuredClientId } from './choose-client.ts';
import type { CredentialKeeper } from './credential-keeper.ts';
import type { LoginSubject } from './login-subject.ts';
import { loginAddress } from './login-subject.ts';
import { soundScopes } from './token-requests.ts';

/** How a connection logs in to its server. */
export type ServerLogin = {
  /** The connection's `fetch`: adds the login to each request to the server, and to no other request. */
  readonly fetch: typeof fetch;
  /** Whether a login exists that the server has not refused yet. Reads the store, where other processes write too. Never rejects. */
  readonly hasNewLogin: () => Promise<boolean>;
  /** Why an earlier login no longer works: sentences for the user, or null. Never rejects. */
  readonly whyRefused: () => Promise<string | null>;
};

type OAuthLoginOptions = {
  readonly subject: LoginSubject;
  readonly keeper: CredentialKeeper;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
};

/** Renews tokens this long before they expire: a request takes time. */
const marginMs = 30_000;

/** An OAuth login of one owner at one server. */
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

  /** Null without a login. Rejects as `fetch` does if the login cannot be used for now. */
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

  /** Ignores a credential of a client that the settings no longer name. */
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

  /** Saves the required rights for the next login; the server's other tools work until then. */
  async #tellScopes(response: Response): Promise<Response> {
    const scopes = readWantedScopes(response.headers.get('www-authenticate') ?? '');
    if (scopes === null) {
      return response;
    }
    await response.body?.cancel().catch(() => undefined);
    await this.#options.keeper.want(scopes);
    const named = scopes.length > 0 ? `: ${scopes.join(', ')}` : '';
    return new Response(`It requires more rights than its login has${named}. Log in to it again to grant them.`, {
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

/** Rejects as `fetch` does when nothing was sent. */
function unreachable(why: string, what: 'renewed' | 'used' = 'renewed'): TypeError {
  return new TypeError('fetch failed', {
    cause: new Error(`its login cannot be ${what} now. ${why}`.replace(/\.$/, '')),
  });
}

const maxScopes = 20;

/** The rights that a server requires and the login lacks, or null. Leaves out words that cannot be scopes. */
function readWantedScopes(challenge: string): readonly string[] | null {
  const said = challenge.slice(0, 2_000);
  if (!/^bearer\b/i.test(said) || !/\berror="?insufficient_scope\b/.test(said)) {
    return null;
  }
  const [, scope = ''] = /\bscope="([^"]*)"/.exec(said) ?? [];
  return soundScopes(scope.split(' ')).slice(0, maxScopes);
}
