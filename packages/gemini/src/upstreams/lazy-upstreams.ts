import type { UpstreamServers } from '@gemini-mcp/core/internal';
import type { PinApproval, Upstreams } from '@gemini-mcp/upstreams';
import { Lazy } from './load-upstreams-library.ts';

export type LazyUpstreamsOptions = {
  /** Whether a settings file exists; without one, nothing is loaded. Never rejects. */
  readonly isNeeded: () => Promise<boolean>;
  readonly open: () => Promise<Upstreams>;
  /** Called with the reason when the library could not be loaded. The next use tries again. */
  readonly onUnloadable: (error: unknown) => void;
  /** Called when all connections are closed. */
  readonly onClosed: () => Promise<void>;
};

const noServers = 'No other servers are configured.';
const notLoaded = 'What speaks with other servers could not be loaded. The next call tries again.';

/** The upstream servers of all owners. Loads their library on first use, if a server is configured. */
export class LazyUpstreams {
  readonly #options: LazyUpstreamsOptions;
  readonly #listening = new Set<Listening>();
  readonly #lazy: Lazy<Upstreams>;
  #upstreams: Upstreams | null = null;
  #isClosed = false;

  constructor(options: LazyUpstreamsOptions) {
    this.#options = options;
    this.#lazy = new Lazy(() => this.#open());
  }

  /** The servers of an owner. Callers may keep the result: only a listener on it uses resources. */
  of(owner: string): UpstreamServers {
    return {
      list: async (options, signal) => {
        signal.throwIfAborted();
        const upstreams = await this.#loaded();
        signal.throwIfAborted();
        return typeof upstreams === 'string' ? [] : await upstreams.of(owner).list(options, signal);
      },
      request: async (request, signal) => {
        const upstreams = await this.#loaded();
        return typeof upstreams === 'string'
          ? { type: 'unavailable', detail: upstreams, wasSent: false }
          : await upstreams.of(owner).request(request, signal);
      },
      onChange: (listener) => this.#listen(owner, listener),
    };
  }

  /** Null if no servers are configured, and after the end. Rejects if the library cannot be loaded. */
  async load(): Promise<Upstreams | null> {
    const isNeeded = this.#upstreams !== null || (await this.#options.isNeeded());
    // The end may have come meanwhile, and connections opened after it would never be closed.
    return this.#isClosed || !isNeeded ? null : await this.#lazy.get();
  }

  /** Resolves to a sentence for a user if the library cannot be loaded, otherwise to null. Never rejects. */
  async problem(): Promise<string | null> {
    return (await this.#loaded()) === notLoaded ? notLoaded : null;
  }

  /** Like `Upstreams.approve`. */
  async approve(approval: PinApproval): Promise<string | null> {
    const upstreams = await this.#loaded();
    return typeof upstreams === 'string' ? upstreams : await upstreams.approve(approval);
  }

  /** Like `Upstreams.loggedIn`, if anything was connected. Never rejects. */
  async loggedIn(owner: string, server: string): Promise<void> {
    await (await this.#lazy.opened())?.loggedIn(owner, server);
  }

  /** Like `Upstreams.rootsChanged`, if anything was connected. */
  rootsChanged(owner: string): void {
    void this.#lazy.opened().then((upstreams) => upstreams?.rootsChanged(owner));
  }

  /** Ends all connections. Resolves once all are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#lazy.opened())?.close();
    await this.#options.onClosed();
  }

  /** Resolves to a sentence for a user if no server is available. */
  async #loaded(): Promise<Upstreams | string> {
    return await this.load().then(
      (upstreams) => upstreams ?? noServers,
      () => notLoaded,
    );
  }

  #listen(owner: string, listener: () => void): () => void {
    const listening: Listening = { owner, hear: () => listener(), stop: null };
    this.#listening.add(listening);
    if (this.#upstreams !== null) {
      listening.stop = this.#upstreams.of(owner).onChange(listening.hear);
    }
    return () => {
      this.#listening.delete(listening);
      listening.stop?.();
    };
  }

  async #open(): Promise<Upstreams> {
    try {
      const upstreams = await this.#options.open();
      this.#upstreams = upstreams;
      for (const listening of this.#listening) {
        listening.stop = upstreams.of(listening.owner).onChange(listening.hear);
      }
      return upstreams;
    } catch (error) {
      this.#options.onUnloadable(error);
      throw error;
    }
  }
}

type Listening = {
  readonly owner: string;
  /** A function of its own: one listener may listen twice, and stop once. */
  readonly hear: () => void;
  /** Null before there is anything to listen to. */
  stop: (() => void) | null;
};
