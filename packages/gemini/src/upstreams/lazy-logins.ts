import { lookup } from 'node:dns/promises';
import { KeychainSealer, openBrowser } from '@gemini-mcp/adapters-node/internal';
import {
  CredentialRecords,
  type KnownLogin,
  type LoginEnd,
  type LoginKey,
  type LoginRequest,
  type LogoutEnd,
  type ServerLogins,
} from '@gemini-mcp/core/internal';
import type { FoundSubject, Logins } from '@gemini-mcp/upstreams';
import type { UpstreamsParts } from './compose-upstreams.ts';
import { digestOf } from './digest-of.ts';
import { Lazy, loadUpstreamsLibrary } from './load-upstreams-library.ts';
import { ownerOfShared, ownerOnThisMachine, resolveReach } from './reach-server.ts';
import { loginsKeychain, SystemKeychain } from './system-keychain.ts';

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
export async function createLogins(parts: UpstreamsParts, send: typeof fetch): Promise<Logins> {
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

function createCredentialStore({ sealsLogins: isSealed, clock, records }: UpstreamsParts): CredentialRecords {
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
