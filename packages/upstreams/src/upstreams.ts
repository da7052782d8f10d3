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

/** Pools of owners who use nothing now. What they hold is read from the disk again when their owners are back. */
const maxOwners = 64;

/** Pools whose pins could not be saved: without this process a change of their tools is not noticed. */
const maxUnsavedOwners = 1_000;

const defaultMaxProcesses = 100;

export type Approval = {
  readonly owner: string;
  /** The server as the user has seen it. */
  readonly shown: UpstreamSnapshot;
  /** Names as the server has them. */
  readonly tools: readonly string[] | 'all';
};

/** The user's other MCP servers: a pool for each owner, and one for the servers that all owners share. Nothing starts before it is asked for. */
export class Upstreams {
  readonly #options: UpstreamsOptions;
  readonly #shared: UpstreamPool;
  readonly #pools: RecentlyUsed<UpstreamPool>;
  /** Pools that have gone and are still ending. */
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

  /** The pool of an owner. Ask for it at each use and do not keep it: the pool of an owner who uses nothing for long is closed. */
  of(owner: string): UpstreamPool {
    return this.#pools.use(owner, () => this.#createPool(owner));
  }

  /** How many owners have a pool. */
  get owners(): number {
    return this.#pools.size;
  }

  /** Connects servers of an owner, to see how they are now, and waits for their lists. Never rejects. */
  async connect(owner: string, options: ConnectServersOptions, signal: AbortSignal): Promise<void> {
    await this.of(owner).connect(options, signal);
  }

  /** The problems of the current settings. */
  async problems(): Promise<readonly SettingProblem[]> {
    return (await this.#look()).problems;
  }

  /**
   * Approves tools of a server exactly as they were shown: the named ones, or all. An approval of a shared server holds for all owners. Resolves to null
   * when it is saved, otherwise to the reason, for a user. Never rejects.
   */
  async approve({ owner, shown, tools }: Approval): Promise<string | null> {
    const listed = (shown.lists?.tools ?? []).map((tool) => tool.listed);
    const missing = tools === 'all' ? undefined : tools.find((name) => !listed.some((tool) => tool.name === name));
    if (missing !== undefined) {
      return `It has no tool ${JSON.stringify(missing)}.`;
    }
    const approved = listed.filter(({ name }) => tools === 'all' || tools.includes(name));
    const problem = await this.#withServer(owner, shown.name, async (server) =>
      server.entry.digest === shown.digest
        ? await server.lists.approve(approved)
        : 'The settings of this server have changed since it was shown.',
    );
    if (problem === null) {
      this.#tellAll();
    }
    return problem;
  }

  /** The owner has logged in at a server: what it refused without a login may be tried again. */
  async loggedIn(owner: string, name: string): Promise<void> {
    await this.#withServer(owner, name, async (server) => server.loggedIn());
  }

  /** Tells the connected servers of an owner that the owner's roots changed. */
  rootsChanged(owner: string): void {
    this.#pools.peek(owner)?.rootsChanged();
  }

  /** Ends all connections, and resolves once nothing of them is left. Requests are refused from now on. */
  async close(): Promise<void> {
    this.#closing ??= this.#end();
    await this.#closing;
  }

  async #end(): Promise<void> {
    const pools = [...this.#pools.values(), this.#shared].map((pool) => pool.close());
    await Promise.all([...pools, this.#ending.settled()]);
  }

  /** Resolves to the reason if there is no such server: a sentence for a user. */
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

  /** Concurrent callers share one look. */
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
    // A copy: listeners may use their servers at once, which changes the order of the pools.
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
      const detail = `There are ${this.#max} other servers that run already. One that is not used for a while ends by itself.`;
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
