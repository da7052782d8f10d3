import { type OtherServer, type OtherServers, RecentlyUsed } from '@gemini-mcp/core/internal';
import { LimitedProcesses } from './connection/limited-processes.ts';
import { HeldServers } from './holding/held-servers.ts';
import type { HubOptions } from './holding/hub-options.ts';
import { type ConnectOptions, ServersOfOwner } from './holding/servers-of-owner.ts';
import { isServerOn } from './settings/merge-hub-settings.ts';
import type { HubSettings } from './settings/read-hub-settings.ts';
import type { ServerEntry } from './settings/server-entry.ts';
import type { SettingProblem } from './settings/setting-problem.ts';

/** Of owners who use nothing now: the lists of their servers, which are read from the disk again when they are back. */
const maxOwners = 64;

/** Of owners whose tools could not be recorded on the disk: without this process a change of these is not noticed. */
const maxUnkeptOwners = 1_000;

/** All other MCP servers that this process speaks with, for all owners. Nothing is started before something is asked of it. */
export class Hub {
  readonly #options: HubOptions;
  readonly #shared: HeldServers;
  readonly #owners: RecentlyUsed<ServersOfOwner>;
  /** Owners who have gone, and of whom something is still ending. */
  readonly #ending = new Set<Promise<void>>();
  #settings: HubSettings | null = null;
  #entries: ReadonlyMap<string, ServerEntry> = new Map();
  #looking: Promise<HubSettings> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: HubOptions) {
    const { processes, maxProcesses = 100 } = options;
    this.#options = { ...options, processes: new LimitedProcesses(processes, maxProcesses) };
    this.#owners = new RecentlyUsed({
      max: maxOwners,
      mayGo: (servers) => servers.isIdle && (servers.isKept || this.#owners.size > maxUnkeptOwners),
      onGone: (servers) => this.#letGo(servers),
    });
    this.#shared = new HeldServers({ hub: this.#options, owner: null, onChange: () => this.#tellAll() });
  }

  /** The other servers of an owner. What is held of an owner who does not use them for long goes, and is made again when it is needed. */
  of(owner: string): OtherServers {
    return {
      list: (options, signal) => this.#ownerOf(owner).list(options, signal),
      request: (request, signal) => this.#ownerOf(owner).request(request, signal),
      onChange: (listener) => this.#ownerOf(owner).onChange(listener),
    };
  }

  /** Of how many owners anything is held. */
  get owners(): number {
    return this.#owners.size;
  }

  /** Connects servers of an owner, for a user who wants to know how they are now, and waits for their lists. Never rejects. */
  async connect(owner: string, options: ConnectOptions, signal: AbortSignal): Promise<void> {
    await this.#ownerOf(owner).connect(options, signal);
  }

  /** What is wrong with the settings as they are now. */
  async problems(): Promise<readonly SettingProblem[]> {
    return (await this.#look()).problems;
  }

  /**
   * Approves tools of a server just as they were shown: those of the names, or all. A shared server's are approved for all owners. Resolves to
   * null when that is kept, otherwise to why not, for a user. Never rejects.
   */
  async approve(approval: Approval): Promise<string | null> {
    const servers = this.#ownerOf(approval.owner);
    return await servers.during(() => this.#approve(servers, approval));
  }

  async #approve(servers: ServersOfOwner, { shown, tools }: Approval): Promise<string | null> {
    const server = await servers.find(shown.name);
    if (typeof server === 'string' || server.entry.digest !== shown.digest) {
      return typeof server === 'string' ? server : 'The settings of this server have changed since it was shown.';
    }
    const listed = (shown.lists?.tools ?? []).map((tool) => tool.listed);
    const missing = tools === 'all' ? undefined : tools.find((name) => !listed.some((tool) => tool.name === name));
    if (missing !== undefined) {
      return `It has no tool ${JSON.stringify(missing)}.`;
    }
    const problem = await server.approve(listed.filter(({ name }) => tools === 'all' || tools.includes(name)));
    if (problem === null) {
      this.#tellAll();
    }
    return problem;
  }

  /** The owner has logged in at a server: what it refused for want of a login is tried again. */
  async loggedIn(owner: string, name: string): Promise<void> {
    const servers = this.#ownerOf(owner);
    await servers.during(async () => {
      const server = await servers.find(name);
      if (typeof server !== 'string') {
        server.loggedIn();
      }
    });
  }

  /** The roots of an owner are others: servers that run hear so. */
  rootsChanged(owner: string): void {
    this.#owners.peek(owner)?.rootsChanged();
  }

  /** Ends all connections, and resolves once nothing of them is left. Requests are refused from now on. */
  async close(): Promise<void> {
    this.#closing ??= this.#end();
    await this.#closing;
  }

  async #end(): Promise<void> {
    const owners = [...this.#owners.values()].map((owner) => owner.close());
    await Promise.all([...owners, ...this.#ending, this.#shared.close()]);
  }

  #ownerOf(owner: string): ServersOfOwner {
    return this.#owners.use(owner, () => {
      const entries = () => this.#entriesNow();
      return new ServersOfOwner({ hub: this.#options, owner, shared: this.#shared, entries });
    });
  }

  #letGo(servers: ServersOfOwner): void {
    const ended = servers.close().then(() => {
      this.#ending.delete(ended);
    });
    this.#ending.add(ended);
  }

  async #entriesNow(): Promise<ReadonlyMap<string, ServerEntry> | null> {
    await this.#look();
    return this.#closing === undefined ? this.#entries : null;
  }

  /** All who ask meanwhile share one look. */
  async #look(): Promise<HubSettings> {
    this.#looking ??= this.#options.settings().finally(() => {
      this.#looking = undefined;
    });
    const settings = await this.#looking;
    if (settings !== this.#settings) {
      this.#take(settings);
    }
    return settings;
  }

  #take(settings: HubSettings): void {
    const isFirst = this.#settings === null;
    this.#settings = settings;
    this.#entries = new Map([...settings.servers].filter(([name]) => isServerOn(settings, name)));
    if (isFirst) {
      return;
    }
    this.#shared.keepOnly(this.#entries);
    // Those who hear of it may use them at once, which changes their order.
    for (const owner of [...this.#owners.values()]) {
      owner.take(this.#entries);
    }
  }

  #tellAll(): void {
    for (const owner of [...this.#owners.values()]) {
      owner.tellChange();
    }
  }
}

export type Approval = {
  readonly owner: string;
  /** The server as the user has seen it. */
  readonly shown: OtherServer;
  /** Names as the server has them. */
  readonly tools: readonly string[] | 'all';
};
