import {
  beforeAbort,
  type OtherServer,
  type OtherServerRequest,
  type OtherServers,
  type ServerReply,
} from '@gemini-mcp/core/internal';
import type { ServerEntry } from '../settings/server-entry.ts';
import type { HeldServer } from './held-server.ts';
import { HeldServers, type HeldServersOptions } from './held-servers.ts';

export type ServersOfOwnerOptions = Pick<HeldServersOptions, 'hub'> & {
  readonly owner: string;
  /** Those that all owners share. */
  readonly shared: HeldServers;
  /** Entries of the servers that are on, by their names, as the settings are now. Null once all is over. */
  readonly entries: () => Promise<ReadonlyMap<string, ServerEntry> | null>;
};

export type ConnectOptions = {
  /** As the user named it; null for all. */
  readonly server: string | null;
  readonly waitMs: number;
};

/** The other servers of one owner: each its own, but for shared ones. */
export class ServersOfOwner implements OtherServers {
  readonly #options: ServersOfOwnerOptions;
  readonly #own: HeldServers;
  readonly #listeners = new Set<() => void>();
  #uses = 0;

  constructor(options: ServersOfOwnerOptions) {
    this.#options = options;
    const { hub, owner } = options;
    this.#own = new HeldServers({ hub, owner, onChange: () => this.tellChange() });
  }

  /** Whether no one waits for it or listens, and nothing of it runs. */
  get isIdle(): boolean {
    return this.#uses === 0 && this.#listeners.size === 0 && this.#own.isIdle;
  }

  /** Whether all that is known of its servers is on the disk. */
  get isKept(): boolean {
    return this.#own.isKept;
  }

  /** It is not idle until the work has ended. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#uses += 1;
    try {
      return await work();
    } finally {
      this.#uses -= 1;
    }
  }

  async list(options: { readonly waitMs: number }, signal: AbortSignal): Promise<readonly OtherServer[]> {
    return await this.during(() => this.#list(options, signal));
  }

  async #list({ waitMs }: { readonly waitMs: number }, signal: AbortSignal): Promise<readonly OtherServer[]> {
    signal.throwIfAborted();
    const entries = await this.#options.entries();
    const servers = [...(entries ?? new Map<string, ServerEntry>()).values()].map((entry) => this.#held(entry));
    if (waitMs > 0) {
      await waitForAll(servers, (server, patience) => server.awaitFirstLists(waitMs, patience), signal);
    }
    const described = await Promise.all(servers.map((server) => server.describe()));
    signal.throwIfAborted();
    return described;
  }

  /** Connects all servers, or the one of a name, and waits for their lists at most `waitMs`. Never rejects. */
  async connect(options: ConnectOptions, signal: AbortSignal): Promise<void> {
    await this.during(() => this.#connect(options, signal));
  }

  async #connect({ server, waitMs }: ConnectOptions, signal: AbortSignal): Promise<void> {
    const entries = [...((await this.#options.entries()) ?? new Map<string, ServerEntry>()).values()];
    const asked = entries.filter(({ name }) => server === null || name === server);
    const servers = asked.map((entry) => this.#held(entry));
    await waitForAll(servers, (server, patience) => server.awaitLists(waitMs, patience), signal);
  }

  async request(request: OtherServerRequest, signal: AbortSignal): Promise<ServerReply> {
    if (signal.aborted) {
      return { type: 'cancelled', wasSent: false };
    }
    this.#uses += 1;
    try {
      const server = await this.find(request.server);
      return typeof server === 'string'
        ? { type: 'unavailable', detail: server, wasSent: false }
        : await server.request(request, this.#options.owner, signal);
    } finally {
      this.#uses -= 1;
    }
  }

  onChange(listener: () => void): () => void {
    // Each its own: one listener may listen twice, and stop once.
    const hear = (): void => listener();
    this.#listeners.add(hear);
    return () => {
      this.#listeners.delete(hear);
    };
  }

  /** The server of a name, or why there is none: a sentence for a user. */
  async find(name: string): Promise<HeldServer | string> {
    const entries = await this.#options.entries();
    if (entries === null) {
      return 'This server is ending.';
    }
    const entry = entries.get(name);
    return entry === undefined ? 'There is no server of this name, or it is off.' : this.#held(entry);
  }

  /** The settings have changed. */
  take(entries: ReadonlyMap<string, ServerEntry>): void {
    this.#own.keepOnly(entries);
    this.tellChange();
  }

  /** Shared servers are told of none. */
  rootsChanged(): void {
    this.#own.rootsChanged();
  }

  tellChange(): void {
    for (const hear of [...this.#listeners]) {
      hear();
    }
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#own.close();
  }

  #held(entry: ServerEntry): HeldServer {
    return (entry.isShared ? this.#options.shared : this.#own).of(entry);
  }
}

/** Each has a signal of its own: one for all would have a listener for each server, and Node warns of more than ten. */
async function waitForAll(
  servers: readonly HeldServer[],
  wait: (server: HeldServer, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const waits = servers.map((server) => ({ server, patience: new AbortController() }));
  await beforeAbort(Promise.all(waits.map(({ server, patience }) => wait(server, patience.signal))), signal);
  for (const { patience } of waits) {
    patience.abort();
  }
}
