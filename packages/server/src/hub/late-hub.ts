import type { OtherServer, OtherServerRequest, OtherServers, ServerReply } from '@gemini-mcp/core/internal';
import type { Approval, Hub } from '@gemini-mcp/hub';

export type LateHubOptions = {
  /** Whether there is a settings file: without one nothing is loaded. Never rejects. */
  readonly isNeeded: () => Promise<boolean>;
  readonly open: () => Promise<Hub>;
  /** Called when nothing is connected any more. */
  readonly onClosed: () => Promise<void>;
};

const noServers = 'No other servers are configured.';

/** The other servers of all owners. Nothing of what speaks with them is loaded before there is one to speak with. */
export class LateHub {
  readonly #options: LateHubOptions;
  readonly #owners = new Map<string, OtherServers>();
  #hub: Promise<Hub> | undefined;
  #isClosed = false;

  constructor(options: LateHubOptions) {
    this.#options = options;
  }

  /** Those of an owner; the same object each time. */
  of(owner: string): OtherServers {
    const known = this.#owners.get(owner);
    if (known !== undefined) {
      return known;
    }
    const made = new LateServers(owner, () => this.load());
    this.#owners.set(owner, made);
    return made;
  }

  /** Null where no servers are configured, and after the end. Rejects where what speaks with them cannot be loaded. */
  async load(): Promise<Hub | null> {
    if (this.#isClosed || (this.#hub === undefined && !(await this.#options.isNeeded()))) {
      return null;
    }
    this.#hub ??= this.#options.open();
    return await this.#hub;
  }

  /** As `Hub.approve`. */
  async approve(approval: Approval): Promise<string | null> {
    const hub = await this.load();
    return hub === null ? noServers : await hub.approve(approval);
  }

  /** As `Hub.loggedIn`, where anything is connected. Never rejects. */
  async loggedIn(owner: string, server: string): Promise<void> {
    const hub = await this.#hub?.catch(() => undefined);
    await hub?.loggedIn(owner, server);
  }

  /** Ends all connections, and resolves once nothing of them is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const hub = await this.#hub?.catch(() => undefined);
    await hub?.close();
    await this.#options.onClosed();
  }
}

class LateServers implements OtherServers {
  readonly #owner: string;
  readonly #load: () => Promise<Hub | null>;
  readonly #listeners = new Set<() => void>();
  #heard: OtherServers | null = null;

  constructor(owner: string, load: () => Promise<Hub | null>) {
    this.#owner = owner;
    this.#load = load;
  }

  async list(options: { readonly waitMs: number }, signal: AbortSignal): Promise<readonly OtherServer[]> {
    signal.throwIfAborted();
    const servers = await this.#servers();
    signal.throwIfAborted();
    return servers === null ? [] : await servers.list(options, signal);
  }

  async request(request: OtherServerRequest, signal: AbortSignal): Promise<ServerReply> {
    const servers = await this.#servers();
    return servers === null
      ? { type: 'unavailable', detail: noServers, wasSent: false }
      : await servers.request(request, signal);
  }

  onChange(listener: () => void): () => void {
    // Each its own: one listener may listen twice, and stop once.
    const hear = (): void => listener();
    this.#listeners.add(hear);
    return () => {
      this.#listeners.delete(hear);
    };
  }

  async #servers(): Promise<OtherServers | null> {
    const hub = await this.#load().catch(() => null);
    const servers = hub?.of(this.#owner) ?? null;
    if (servers !== null && this.#heard === null) {
      this.#heard = servers;
      servers.onChange(() => {
        for (const hear of [...this.#listeners]) {
          hear();
        }
      });
    }
    return servers;
  }
}
