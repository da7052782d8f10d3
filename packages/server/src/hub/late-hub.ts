import type { OtherServer, OtherServerRequest, OtherServers, ServerReply } from '@gemini-mcp/core/internal';
import type { Approval, Hub } from '@gemini-mcp/hub';

export type LateHubOptions = {
  /** Whether there is a settings file: without one nothing is loaded. Never rejects. */
  readonly isNeeded: () => Promise<boolean>;
  readonly open: () => Promise<Hub>;
  /** Told why what speaks with them could not be loaded, such as for want of descriptors. The next use tries again. */
  readonly onUnloadable: (error: unknown) => void;
  /** Called when nothing is connected any more. */
  readonly onClosed: () => Promise<void>;
};

const noServers = 'No other servers are configured.';
const notLoaded = 'What speaks with other servers could not be loaded: the log of this server says why.';

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
    const isNeeded = this.#hub !== undefined || (await this.#options.isNeeded());
    // The end may have come meanwhile: nothing would close what is opened after it.
    if (this.#isClosed || !isNeeded) {
      return null;
    }
    this.#hub ??= this.#open();
    return await this.#hub;
  }

  /** Why no server can be asked, though some may be configured: a sentence for a user. Null where they can be. Never rejects. */
  async problem(): Promise<string | null> {
    return await this.load().then(
      () => null,
      () => notLoaded,
    );
  }

  async #open(): Promise<Hub> {
    try {
      return await this.#options.open();
    } catch (error) {
      this.#hub = undefined;
      this.#options.onUnloadable(error);
      throw error;
    }
  }

  /** As `Hub.approve`. */
  async approve(approval: Approval): Promise<string | null> {
    const hub = await this.load().catch(() => undefined);
    if (hub === undefined || hub === null) {
      return hub === null ? noServers : notLoaded;
    }
    return await hub.approve(approval);
  }

  /** As `Hub.loggedIn`, where anything is connected. Never rejects. */
  async loggedIn(owner: string, server: string): Promise<void> {
    const hub = await this.#hub?.catch(() => undefined);
    await hub?.loggedIn(owner, server);
  }

  /** As `Hub.rootsChanged`, where anything is connected. */
  rootsChanged(owner: string): void {
    void this.#hub?.then(
      (hub) => hub.rootsChanged(owner),
      () => undefined,
    );
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
    return typeof servers === 'string' ? [] : await servers.list(options, signal);
  }

  async request(request: OtherServerRequest, signal: AbortSignal): Promise<ServerReply> {
    const servers = await this.#servers();
    return typeof servers === 'string'
      ? { type: 'unavailable', detail: servers, wasSent: false }
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

  /** Why there are none, where there are none. */
  async #servers(): Promise<OtherServers | string> {
    const hub = await this.#load().catch(() => undefined);
    if (hub === undefined || hub === null) {
      return hub === null ? noServers : notLoaded;
    }
    const servers = hub.of(this.#owner);
    if (this.#heard === null) {
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
