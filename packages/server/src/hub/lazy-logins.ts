import { lookup } from 'node:dns/promises';
import { dirname } from 'node:path';
import { KeychainSealer, openBrowser } from '@gemini-mcp/adapters-node/internal';
import {
  CredentialRecords,
  type KnownLogin,
  type LoginEnd,
  type LoginPlace,
  type LoginRequest,
  type LogoutEnd,
  type ServerLogins,
} from '@gemini-mcp/core/internal';
import type { FoundSubject, Logins } from '@gemini-mcp/hub';
import type { HubParts } from './create-hub.ts';
import { digestOf } from './digest-of.ts';
import type { HubSettingsFiles } from './hub-settings-files.ts';
import { Lazy, loadHubLibrary } from './load-hub-library.ts';
import { ownerOfShared, resolveReach } from './reach-server.ts';
import { loginsKeychain, SystemKeychain } from './system-keychain.ts';

/** The logins of this process. The library is loaded on first use. */
export class LazyLogins implements ServerLogins {
  readonly #lazy: Lazy<Logins>;
  readonly #onLoggedIn: (place: LoginPlace) => Promise<void>;

  /** `onLoggedIn` is called after each login in this process. */
  constructor(open: () => Promise<Logins>, onLoggedIn: (place: LoginPlace) => Promise<void>) {
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

  async logout(place: LoginPlace, signal: AbortSignal): Promise<LogoutEnd> {
    return await (await this.load()).logout(place, signal);
  }

  async known(place: LoginPlace, signal: AbortSignal): Promise<KnownLogin> {
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

export type LoginsMeans = {
  readonly settings: HubSettingsFiles;
  readonly fetch: typeof fetch;
  /** The owner who may log in to shared servers. */
  readonly operator: string;
};

/** The logins to other servers, saved in the state directory. */
export async function createLogins(parts: HubParts, means: LoginsMeans): Promise<Logins> {
  const { environment, clock, isOfOneUser } = parts;
  const library = await loadHubLibrary();
  return new library.Logins({
    clock,
    fetch: means.fetch,
    store: createCredentialStore(parts),
    lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    openBrowser: (url) => openBrowser(url, { environment }),
    find: (place) => findSubject(place, parts, means),
    isOfOneUser,
  });
}

function createCredentialStore({ configuration, clock, records }: HubParts): CredentialRecords {
  return new CredentialRecords({
    records,
    sha256: digestOf,
    sealer: new KeychainSealer({ records, clock, keychain: new SystemKeychain(loginsKeychain) }),
    isSealed: configuration.credentials === 'keychain',
  });
}

async function findSubject(
  { owner, server }: LoginPlace,
  { configuration, environment }: HubParts,
  { settings, operator }: LoginsMeans,
): Promise<FoundSubject> {
  const read = await settings.read();
  const entry = read.merged.servers.get(server);
  if (entry === undefined) {
    return { found: false, detail: `There is no server ${JSON.stringify(server)} in the settings.` };
  }
  if (entry.isShared && owner !== operator) {
    return { found: false, detail: 'This server is shared: its operator logs in to it, for all.' };
  }
  const { workingDirectory, userDirectory } = configuration;
  const home = dirname(userDirectory);
  const resolved = await resolveReach({ settings: read, entry, environment, home, workingDirectory });
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
