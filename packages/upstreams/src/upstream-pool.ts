import {
  type ArgumentCompletion,
  raceAbort,
  type ServerReply,
  type UpstreamCall,
  type UpstreamServers,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import { Endings } from './endings.ts';
import type { ServerEntry } from './settings/read-server-entry.ts';
import { unavailable } from './upstream-lists.ts';
import { type UpstreamRequest, UpstreamServer } from './upstream-server.ts';
import type { UpstreamsOptions } from './upstreams-options.ts';

export type UpstreamPoolOptions = {
  readonly upstreams: UpstreamsOptions;
  /** Null for the pool of shared servers. */
  readonly owner: string | null;
  /** Holds the shared servers; null in that pool itself. */
  readonly shared: UpstreamPool | null;
  /** Entries of the servers that are on, by name, from the current settings; null after the end. */
  /** Entries of the enabled servers by name, from the current settings; null after shutdown. */
  readonly entries: () => Promise<ReadonlyMap<string, ServerEntry> | null>;
  /** The state of a connection, or the lists of a server of this pool, changed. */
  readonly onChange: () => void;
};

export type ConnectServersOptions = {
  /** The user's name for the server; null for all. */
  readonly server: string | null;
  readonly waitMs: number;
};

/** The servers of one owner. */
export class UpstreamPool implements UpstreamServers {
  readonly #options: UpstreamPoolOptions;
  readonly #servers = new Map<string, UpstreamServer>();
  readonly #listeners = new Set<() => void>();
  readonly #ending = new Endings();
  #uses = 0;
  #isClosed = false;

  constructor(options: UpstreamPoolOptions) {
    this.#options = options;
  }

  /** Whether no call waits here, nothing listens, and no server of it runs. */
  get isIdle(): boolean {
    const isQuiet = this.#uses === 0 && this.#listeners.size === 0 && this.#ending.size === 0;
    return isQuiet && [...this.#servers.values()].every((server) => server.isIdle);
  }

  /** Whether all knowledge about its servers is saved. */
  get isSaved(): boolean {
    return [...this.#servers.values()].every((server) => server.lists.isSaved);
  }

  async list({ waitMs }: { readonly waitMs: number }, signal: AbortSignal): Promise<readonly UpstreamSnapshot[]> {
    return await this.during(async () => {
      signal.throwIfAborted();
      const servers = await this.#all();
      if (waitMs > 0) {
        const areKnown = await Promise.all(servers.map((server) => server.lists.isKnown()));
        await awaitLists(
          servers.filter((_, at) => !areKnown[at]),
          waitMs,
          signal,
        );
      }
      const described = await Promise.all(servers.map((server) => server.describe()));
      signal.throwIfAborted();
      return described;
    });
  }

  /** Connects all servers, or the named one, and waits for their lists at most `waitMs`. Never rejects. */
  async connect({ server: name, waitMs }: ConnectServersOptions, signal: AbortSignal): Promise<void> {
    await this.during(async () => {
      const servers = await this.#all();
      const asked = servers.filter(({ entry }) => name === null || entry.name === name);
      await awaitLists(asked, waitMs, signal);
    });
  }

  async request(request: UpstreamCall, signal: AbortSignal): Promise<ServerReply> {
    if (signal.aborted) {
      return { type: 'cancelled', wasSent: false };
    }
    const { asks, deadlineAtMs, onProgress, questions, trace } = request;
    this.#uses += 1;
    try {
      const server = await this.find(request.server);
      if (typeof server === 'string') {
        return unavailable(server);
      }
      const refusal = asks.type === 'tool' ? await server.refuse(asks.tool, deadlineAtMs, signal) : null;
      const { method, params: given } = toMessage(asks);
      const params = trace === undefined ? given : { ...given, _meta: trace };
      const { owner } = this.#options;
      const asked = { method, params, owner: owner ?? '', questions, deadlineAtMs, onProgress };
      return refusal ?? (await server.request(asked, signal));
    } finally {
      this.#uses -= 1;
    }
  }

  onChange(listener: () => void): () => void {
    // A new function: one listener may listen twice, and stop once.
    const hear = (): void => listener();
    this.#listeners.add(hear);
    return () => {
      this.#listeners.delete(hear);
    };
  }

  /** The pool is not idle until the work has ended. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#uses += 1;
    try {
      return await work();
    } finally {
      this.#uses -= 1;
    }
  }

  /** The named server, or a sentence for the user on why it is unavailable. */
  async find(name: string): Promise<UpstreamServer | string> {
    const entries = await this.#options.entries();
    if (entries === null) {
      return 'This program is shutting down.';
    }
    const entry = entries.get(name);
    return entry === undefined ? 'No server has this name, or it is disabled.' : this.#serverOf(entry);
  }

  /** Ends the servers that the settings no longer have, or configure differently. */
  keepOnly(entries: ReadonlyMap<string, ServerEntry>): void {
    for (const [name, server] of this.#servers) {
      const entry = entries.get(name);
      if (entry === undefined || !server.adopt(entry)) {
        this.#end(name);
      }
    }
  }

  rootsChanged(): void {
    for (const server of this.#servers.values()) {
      server.rootsChanged();
    }
  }

  tellChange(): void {
    for (const hear of [...this.#listeners]) {
      hear();
    }
  }

  /** Ends all servers. Resolves once nothing of them is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    this.keepOnly(new Map());
    await this.#ending.settled();
  }

  async #all(): Promise<readonly UpstreamServer[]> {
    const entries = (await this.#options.entries()) ?? new Map<string, ServerEntry>();
    return [...entries.values()].map((entry) => this.#serverOf(entry));
  }

  #serverOf(entry: ServerEntry): UpstreamServer {
    const { upstreams, owner, shared, onChange } = this.#options;
    if (entry.isShared && shared !== null) {
      return shared.#serverOf(entry);
    }
    const known = this.#servers.get(entry.name);
    if (known?.adopt(entry) === true) {
      return known;
    }
    this.#end(entry.name);
    const server = new UpstreamServer({ upstreams, entry, owner, onChange });
    this.#servers.set(entry.name, server);
    if (this.#isClosed) {
      this.#end(entry.name);
    }
    return server;
  }

  #end(name: string): void {
    const server = this.#servers.get(name);
    if (server !== undefined) {
      this.#servers.delete(name);
      this.#ending.add(server.close());
    }
  }
}

/** Uses one signal per server: a shared one would get a listener for each, and Node warns about more than ten. */
async function awaitLists(servers: readonly UpstreamServer[], waitMs: number, signal: AbortSignal): Promise<void> {
  const waits = servers.map((server) => ({ server, patience: new AbortController() }));
  const all = Promise.all(waits.map(({ server, patience }) => server.awaitLists(waitMs, patience.signal)));
  await raceAbort(all, signal);
  for (const { patience } of waits) {
    patience.abort();
  }
}

type Message = Pick<UpstreamRequest, 'method' | 'params'>;

function toMessage(asks: UpstreamCall['asks']): Message {
  switch (asks.type) {
    case 'tool':
      return { method: 'tools/call', params: { name: asks.tool, arguments: asks.arguments } };
    case 'prompt':
      return { method: 'prompts/get', params: { name: asks.prompt, arguments: asks.arguments } };
    case 'resource':
      return { method: 'resources/read', params: { uri: asks.uri } };
    case 'completion':
      return { method: 'completion/complete', params: toCompletionParams(asks) };
  }
}

function toCompletionParams({ of, name, argument, value, given }: ArgumentCompletion): Message['params'] {
  return {
    ref: of === 'prompt' ? { type: 'ref/prompt', name } : { type: 'ref/resource', uri: name },
    argument: { name: argument, value },
    ...(Object.keys(given).length > 0 && { context: { arguments: given } }),
  };
}
