import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import type { Environment } from '@gemini-mcp/adapters-node';
import { KeychainSealer, openBrowser } from '@gemini-mcp/adapters-node/internal';
import type { Clock, RecordStore } from '@gemini-mcp/core';
import {
  CredentialRecords,
  hostNearness,
  type KnownLogin,
  ListRecords,
  type LoginEnd,
  type LoginKey,
  type LoginRequest,
  type LogoutEnd,
  PinRecords,
  type ServerLogins,
  type ServerProcesses,
} from '@gemini-mcp/core/internal';
import type { ConnectionLimits, FoundSubject, Logins, Upstreams, UpstreamsOptions } from '@gemini-mcp/upstreams';
import type { Dispatcher } from 'undici';
import { proxiesOf } from '../runners/proxies-of.ts';
import { digestOf } from './digest-of.ts';
import { LazyUpstreams } from './lazy-upstreams.ts';
import { Lazy, loadUpstreamsLibrary } from './load-upstreams-library.ts';
import { type LoopMark, ownerOfShared, ownerOnThisMachine, reachServer, resolveReach } from './reach-server.ts';
import { loginsKeychain, SystemKeychain } from './system-keychain.ts';
import type { UpstreamSettings } from './upstream-settings.ts';

/** Options for the upstream servers of this process. */
export type UpstreamsParts = Required<Pick<UpstreamsOptions, 'client' | 'remedies' | 'roots'>> & {
  readonly settings: UpstreamSettings;
  readonly environment: Environment;
  /** The value of `PWD` in the settings. */
  readonly workingDirectory: string;
  readonly home: string;
  readonly clock: Clock;
  readonly processes: ServerProcesses;
  /** Replaces the default secret stores. */
  readonly limits?: Partial<ConnectionLimits>;
  /** Stores tool lists and pins. */
  readonly records: RecordStore;
  /** Stores logins. */
  readonly localRecords: RecordStore;
  /** Whether logins are encrypted with a key from the keychain. */
  readonly sealsLogins: boolean;
  /** Whether all owners are the user of this machine: then Google's credentials on it are theirs. */
  readonly isOfOneUser: boolean;
  /** Receives a line about an upstream server. */
  readonly log: (line: string) => void;
};

export type ComposedUpstreams = {
  readonly upstreams: LazyUpstreams;
  readonly logins: ServerLogins;
  readonly mark: LoopMark;
};

const unloadable = 'What speaks with other servers could not be loaded';

/** Creates the upstream servers of this process. Reads and loads nothing before the first request. */
export function composeUpstreams(parts: UpstreamsParts): ComposedUpstreams {
  const { settings, environment, log } = parts;
  const mark = { id: randomUUID() };
  const fetching = new ServerFetch(environment);
  const logins = new LazyLogins(
    () => createLogins(parts, fetching.fetch),
    ({ owner, server }) => upstreams.loggedIn(owner, server),
  );
  const upstreams: LazyUpstreams = new LazyUpstreams({
    isNeeded: () => settings.isThere(),
    open: () => openUpstreams(parts, { mark, logins }),
    onUnloadable: (error) => log(`${unloadable}: ${error instanceof Error ? error.message : String(error)}`),
    onClosed: async () => {
      await logins.close();
      await fetching.close();
    },
  });
  return { upstreams, logins, mark };
}

type Means = { readonly mark: LoopMark; readonly logins: LazyLogins };

async function openUpstreams(parts: UpstreamsParts, { mark, logins }: Means): Promise<Upstreams> {
  const { clock, processes, client, remedies, roots, records, log } = parts;
  const { Upstreams: Loaded, defaultConnectionLimits } = await loadUpstreamsLibrary();
  let settings = await parts.settings.read();
  const reaching = { ...parts, mark, logins: await logins.load() };
  return new Loaded({
    ...{ clock, processes, client, remedies, roots, log },
    limits: { ...defaultConnectionLimits, ...parts.limits },
    settings: async () => {
      settings = await parts.settings.read();
      return settings.merged;
    },
    reach: (server) => reachServer({ ...reaching, ...server, settings }),
    upstreamListStore: new ListRecords(records, digestOf),
    toolPinStore: new PinRecords(records, digestOf),
  });
}

type Opened = { readonly fetch: typeof fetch; readonly close: () => Promise<unknown> };

/**
 * A `fetch` for other servers: unlike Node's it sets no limit on how long a server may be silent. Servers of this machine are asked without a
 * proxy, whatever the environment says.
 */
export class ServerFetch {
  readonly #lazy: Lazy<Opened>;

  constructor(environment: Environment) {
    this.#lazy = new Lazy(() => open(environment));
  }

  readonly fetch: typeof fetch = async (input, init) => await (await this.#lazy.get()).fetch(input, init);

  /** Closes every connection: requests that run end as if they had been dropped. */
  async close(): Promise<void> {
    await (await this.#lazy.opened())?.close();
  }
}

async function open(environment: Environment): Promise<Opened> {
  const { Agent, EnvHttpProxyAgent, fetch: send } = await import('undici');
  const { http, https, except } = proxiesOf(environment);
  const unlimited = { headersTimeout: 0, bodyTimeout: 0 };
  const direct = new Agent(unlimited);
  // Empty, not undefined: then undici would read the variables of the process.
  const proxied = new EnvHttpProxyAgent({
    ...unlimited,
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: except?.split(/[\s,]+/).includes('*') === true ? '*' : (except ?? ''),
  });
  const dispatcher = proxied.compose(
    (dispatch): Dispatcher.Dispatch =>
      (options, handler) =>
        isOfThisMachine(options.origin) ? direct.dispatch(options, handler) : dispatch(options, handler),
  );
  const sendByAgent: unknown = (input: never, init: object | undefined) => send(input, { ...init, dispatcher });
  return {
    fetch: sendByAgent as typeof fetch,
    close: () => Promise.all([direct.destroy(), proxied.destroy()]),
  };
}

function isOfThisMachine(origin: string | URL | undefined): boolean {
  return origin !== undefined && hostNearness(new URL(origin).hostname) === 'this-machine';
}

/** The logins of this process. The library is loaded on first use. */
export class LazyLogins implements ServerLogins {
  readonly #lazy: Lazy<Logins>;
  readonly #onLoggedIn: (place: LoginKey) => Promise<void>;

  /** `onLoggedIn` is called after each login in this process. */
  constructor(open: () => Promise<Logins>, onLoggedIn: (place: LoginKey) => Promise<void>) {
    this.#lazy = new Lazy(open);
    this.#onLoggedIn = onLoggedIn;
  }

  async login(request: LoginRequest, signal: AbortSignal): Promise<LoginEnd> {
    const end = await (await this.load()).login(request, signal);
    if (end.type === 'logged-in') {
      await this.#onLoggedIn(request);
    }
    return end;
  }

  async logout(place: LoginKey, signal: AbortSignal): Promise<LogoutEnd> {
    return await (await this.load()).logout(place, signal);
  }

  async known(place: LoginKey, signal: AbortSignal): Promise<KnownLogin> {
    return await (await this.load()).known(place, signal);
  }

  /** Rejects if the library cannot be loaded; the next use tries again. */
  async load(): Promise<Logins> {
    return await this.#lazy.get();
  }

  /** Resolves once no tokens are being renewed. */
  async close(): Promise<void> {
    await (await this.#lazy.opened())?.close();
  }
}

/** The logins to other servers, kept in the records. */
async function createLogins(parts: UpstreamsParts, send: typeof fetch): Promise<Logins> {
  const { environment, clock, isOfOneUser } = parts;
  const library = await loadUpstreamsLibrary();
  return new library.Logins({
    clock,
    fetch: send,
    store: createCredentialStore(parts),
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    openBrowser: (url) => openBrowser(url, { environment }),
    find: (place) => findSubject(place, parts),
    isOfOneUser,
  });
}

function createCredentialStore({
  sealsLogins: isSealed,
  clock,
  localRecords: records,
}: UpstreamsParts): CredentialRecords {
  return new CredentialRecords({
    records,
    sha256: digestOf,
    sealer: new KeychainSealer({ records, clock, keychain: new SystemKeychain(loginsKeychain) }),
    isSealed,
  });
}

async function findSubject({ owner, server }: LoginKey, parts: UpstreamsParts): Promise<FoundSubject> {
  const settings = await parts.settings.read();
  const entry = settings.merged.servers.get(server);
  if (entry === undefined) {
    return { found: false, detail: `No server is named ${JSON.stringify(server)}.` };
  }
  if (entry.isShared && owner !== ownerOnThisMachine) {
    return { found: false, detail: 'This server is shared: its operator logs in to it, for all.' };
  }
  const resolved = await resolveReach({ ...parts, settings, entry });
  if (!resolved.isKnown) {
    return { found: false, detail: resolved.problem };
  }
  const { transport, values } = resolved;
  if (transport.type === 'stdio') {
    return { found: false, detail: 'It is a program of this machine: it needs no login here.' };
  }
  const subject = { entry, url: transport.url, owner: entry.isShared ? ownerOfShared : owner, values };
  return { found: true, subject, headers: transport.headers };
}
