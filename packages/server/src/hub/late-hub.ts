import type { OtherServers } from '@gemini-mcp/core/internal';
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
  readonly #listening = new Set<Listening>();
  #hub: Promise<Hub> | undefined;
  #opened: Hub | null = null;
  #isClosed = false;

  constructor(options: LateHubOptions) {
    this.#options = options;
  }

  /** Those of an owner. Nothing is held of an owner who does not listen. */
  of(owner: string): OtherServers {
    const servers = async (): Promise<OtherServers | string> => {
      const hub = await this.load().catch(() => undefined);
      return hub === undefined ? notLoaded : (hub?.of(owner) ?? noServers);
    };
    return {
      list: async (options, signal) => {
        signal.throwIfAborted();
        const found = await servers();
        signal.throwIfAborted();
        return typeof found === 'string' ? [] : await found.list(options, signal);
      },
      request: async (request, signal) => {
        const found = await servers();
        return typeof found === 'string'
          ? { type: 'unavailable', detail: found, wasSent: false }
          : await found.request(request, signal);
      },
      onChange: (listener) => this.#listen(owner, listener),
    };
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

  #listen(owner: string, listener: () => void): () => void {
    const listening: Listening = { owner, hear: () => listener(), stop: null };
    this.#listening.add(listening);
    if (this.#opened !== null) {
      listening.stop = this.#opened.of(owner).onChange(listening.hear);
    }
    return () => {
      this.#listening.delete(listening);
      listening.stop?.();
    };
  }

  async #open(): Promise<Hub> {
    try {
      const hub = await this.#options.open();
      this.#opened = hub;
      for (const listening of this.#listening) {
        listening.stop = hub.of(listening.owner).onChange(listening.hear);
      }
      return hub;
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

type Listening = {
  readonly owner: string;
  /** Each its own: one listener may listen twice, and stop once. */
  readonly hear: () => void;
  /** Null before there is anything to listen to. */
  stop: (() => void) | null;
};
