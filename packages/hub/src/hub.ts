import type { OtherServer, OtherServers } from '@gemini-mcp/core/internal';
import { LimitedProcesses } from './connection/limited-processes.ts';
import { HeldServers } from './holding/held-servers.ts';
import type { HubOptions } from './holding/hub-options.ts';
import { type ConnectOptions, ServersOfOwner } from './holding/servers-of-owner.ts';
import { isServerOn } from './settings/merge-hub-settings.ts';
import type { HubSettings } from './settings/read-hub-settings.ts';
import type { ServerEntry } from './settings/server-entry.ts';
import type { SettingProblem } from './settings/setting-problem.ts';

/** All other MCP servers that this process speaks with, for all owners. Nothing is started before something is asked of it. */
export class Hub {
  readonly #options: HubOptions;
  readonly #shared: HeldServers;
  readonly #owners = new Map<string, ServersOfOwner>();
  #settings: HubSettings | null = null;
  #entries: ReadonlyMap<string, ServerEntry> = new Map();
  #looking: Promise<HubSettings> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: HubOptions) {
    const { processes, maxProcesses = 100 } = options;
    this.#options = { ...options, processes: new LimitedProcesses(processes, maxProcesses) };
    this.#shared = new HeldServers({ hub: this.#options, owner: null, onChange: () => this.#tellAll() });
  }

  /** The other servers of an owner; the same object each time. */
  of(owner: string): OtherServers {
    return this.#ownerOf(owner);
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
  async approve({ owner, shown, tools }: Approval): Promise<string | null> {
    const server = await this.#ownerOf(owner).find(shown.name);
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
    const server = await this.#ownerOf(owner).find(name);
    if (typeof server !== 'string') {
      server.loggedIn();
    }
  }

  /** The roots of an owner are others: servers that run hear so. */
  rootsChanged(owner: string): void {
    this.#owners.get(owner)?.rootsChanged();
  }

  /** Ends all connections, and resolves once nothing of them is left. Requests are refused from now on. */
  async close(): Promise<void> {
    this.#closing ??= this.#end();
    await this.#closing;
  }

  async #end(): Promise<void> {
    await Promise.all([...[...this.#owners.values()].map((owner) => owner.close()), this.#shared.close()]);
  }

  #ownerOf(owner: string): ServersOfOwner {
    const known = this.#owners.get(owner);
    if (known !== undefined) {
      return known;
    }
    const made = new ServersOfOwner({
      hub: this.#options,
      owner,
      shared: this.#shared,
      entries: () => this.#entriesNow(),
    });
    this.#owners.set(owner, made);
    return made;
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
    for (const owner of this.#owners.values()) {
      owner.take(this.#entries);
    }
  }

  #tellAll(): void {
    for (const owner of this.#owners.values()) {
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
