import {
  RecentlyUsed,
  type ServerProcesses,
  type ServerProgram,
  type ServerStart,
  type UpstreamSnapshot,
} from '@gemini-mcp/core/internal';
import { Endings } from './endings.ts';
import type { ServerEntry } from './settings/read-server-entry.ts';
import type { UpstreamConfig } from './settings/read-upstream-config.ts';
import { isServerOn } from './settings/read-upstream-config.ts';
import type { SettingProblem } from './settings/settings-node.ts';
import { type ConnectServersOptions, UpstreamPool } from './upstream-pool.ts';
import type { UpstreamServer } from './upstream-server.ts';
import type { UpstreamsOptions } from './upstreams-options.ts';

/** Pools of idle owners. A returning owner's data is read from disk again. */
const maxOwners = 64;

/** Pools whose pins could not be saved: only this process notices changes of their tools. */
const maxUnsavedOwners = 1_000;

const defaultMaxProcesses = 100;

export type PinApproval = {
  readonly owner: string;
  /** The server as shown to the user. */
  readonly shown: UpstreamSnapshot;
  /** Tool names of the server. */
  readonly tools: readonly string[] | 'all';
};

/** The user's other MCP servers: a pool per owner, and one for servers that all owners share. Starts nothing before it is needed. */
export class Upstreams {
  readonly #options: UpstreamsOptions;
  readonly #shared: UpstreamPool;
  readonly #pools: RecentlyUsed<UpstreamPool>;
  /** Removed pools that are still ending. */
  readonly #ending = new Endings();
  #settings: UpstreamConfig | null = null;
  #entries: ReadonlyMap<string, ServerEntry> = new Map();
  #looking: Promise<UpstreamConfig> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: UpstreamsOptions) {
    const { processes, maxProcesses = defaultMaxProcesses } = options;
    this.#options = { ...options, processes: new LimitedProcesses(processes, maxProcesses) };
    this.#pools = new RecentlyUsed({
      max: maxOwners,
      mayGo: (pool) => pool.isIdle && (pool.isSaved || this.#pools.size > maxUnsavedOwners),
      onGone: (pool) => this.#ending.add(pool.close()),
    });
    this.#shared = this.#createPool(null);
  }

  /** The pool of an owner. Get it at each use and do not keep it: idle pools are closed. */
  of(owner: string): UpstreamPool {
    return this.#pools.use(owner, () => this.#createPool(owner));
  }

  /** The number of owners with a pool. */
  get owners(): number {
    return this.#pools.size;
  }

  /** Connects servers of an owner to see their current lists. Never rejects. */
  async connect(owner: string, options: ConnectServersOptions, signal: AbortSignal): Promise<void> {
    await this.of(owner).connect(options, signal);
  }

  /** The problems of the current settings. */
  async problems(): Promise<readonly SettingProblem[]> {
    return (await this.#look()).problems;
  }

  /**
   * Approves tools of a server exactly as shown: the named ones, or all. Approving a shared server counts for all owners. Resolves to null when that
   * is saved, otherwise to the reason, for the user. Never rejects.
   */
  async approve({ owner, shown, tools }: PinApproval): Promise<string | null> {
    const listed = (shown.lists?.tools ?? []).map((tool) => tool.listed);
    const missing = tools === 'all' ? undefined : tools.find((name) => !listed.some((tool) => tool.name === name));
    if (missing !== undefined) {
      return `It has no tool ${JSON.stringify(missing)}.`;
    }
    const approved = listed.filter(({ name }) => tools === 'all' || tools.includes(name));
    const problem = await this.#withServer(owner, shown.name, async (server) =>
      server.entry.digest === shown.digest
        ? await server.lists.approve(approved)
        : 'The settings of this server changed after it was shown.',
    );
    if (problem === null) {
      this.#tellAll();
    }
    return problem;
  }

  /** Call when the owner has logged in at a server, so that it is tried again. */
  async loggedIn(owner: string, name: string): Promise<void> {
    await this.#withServer(owner, name, async (server) => server.loggedIn());
  }

  /** Notifies the connected servers of an owner that the owner's roots changed. */
  rootsChanged(owner: string): void {
    this.#pools.peek(owner)?.rootsChanged();
  }

  /** Ends all connections. Resolves once nothing of them is left. Refuses requests from now on. */
  async close(): Promise<void> {
    this.#closing ??= this.#end();
    await this.#closing;
  }

  async #end(): Promise<void> {
    const pools = [...this.#pools.values(), this.#shared].map((pool) => pool.close());
    await Promise.all([...pools, this.#ending.settled()]);
  }

  /** Resolves to the reason, a sentence for the user, if the server is unavailable. */
  async #withServer<Result>(
    owner: string,
    name: string,
    work: (server: UpstreamServer) => Promise<Result>,
  ): Promise<Result | string> {
    const pool = this.of(owner);
    return await pool.during(async () => {
      const server = await pool.find(name);
      return typeof server === 'string' ? server : await work(server);
    });
  }

  #createPool(owner: string | null): UpstreamPool {
    const pool: UpstreamPool = new UpstreamPool({
      upstreams: this.#options,
      owner,
      shared: owner === null ? null : this.#shared,
      entries: () => this.#entriesNow(),
      onChange: () => (owner === null ? this.#tellAll() : pool.tellChange()),
    });
    return pool;
  }

  async #entriesNow(): Promise<ReadonlyMap<string, ServerEntry> | null> {
    await this.#look();
    return this.#closing === undefined ? this.#entries : null;
  }

  /** Concurrent callers share one read. */
  async #look(): Promise<UpstreamConfig> {
    this.#looking ??= this.#options.settings().finally(() => {
      this.#looking = undefined;
    });
    const settings = await this.#looking;
    if (settings !== this.#settings) {
      this.#take(settings);
    }
    return settings;
  }

  #take(settings: UpstreamConfig): void {
    const isFirst = this.#settings === null;
    this.#settings = settings;
    this.#entries = new Map([...settings.servers].filter(([name]) => isServerOn(settings, name)));
    if (isFirst) {
      return;
    }
    this.#shared.keepOnly(this.#entries);
    // A copy: listeners may use their servers at once, which reorders the pools.
    for (const pool of [...this.#pools.values()]) {
      pool.keepOnly(this.#entries);
      pool.tellChange();
    }
  }

  #tellAll(): void {
    for (const pool of [...this.#pools.values()]) {
      pool.tellChange();
    }
  }
}

/** Refuses to start more than `max` programs at a time. */
class LimitedProcesses implements ServerProcesses {
  readonly #processes: ServerProcesses;
  readonly #max: number;
  #running = 0;

  constructor(processes: ServerProcesses, max: number) {
    this.#processes = processes;
    this.#max = max;
  }

  async start(program: ServerProgram, signal: AbortSignal): Promise<ServerStart> {
    if (this.#running >= this.#max) {
      const detail = `${this.#max} other servers are already running, the limit. Idle servers end by themselves: try again later.`;
      return { started: false, detail };
    }
    this.#running += 1;
    const start = await this.#processes.start(program, signal);
    void (start.started ? start.process.ended : Promise.resolve()).then(() => {
      this.#running -= 1;
    });
    return start;
  }
}
