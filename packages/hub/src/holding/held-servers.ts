import type { ServerEntry } from '../settings/server-entry.ts';
import { HeldServer, type HeldServerOptions } from './held-server.ts';

export type HeldServersOptions = Omit<HeldServerOptions, 'entry'>;

/** The servers of one owner, or those that all share. */
export class HeldServers {
  readonly #options: HeldServersOptions;
  readonly #held = new Map<string, HeldServer>();
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: HeldServersOptions) {
    this.#options = options;
  }

  /** Whether nothing of any runs. */
  get isIdle(): boolean {
    return this.#ending.size === 0 && [...this.#held.values()].every((held) => held.isIdle);
  }

  /** Whether all that is known of them is on the disk. */
  get isKept(): boolean {
    return [...this.#held.values()].every((held) => held.isKept);
  }

  /** The server of an entry. One of the same name with another configuration is ended: its calls end with it. */
  of(entry: ServerEntry): HeldServer {
    const held = this.#held.get(entry.name);
    if (held?.fits(entry) === true) {
      held.take(entry);
      return held;
    }
    this.#end(entry.name);
    const made = new HeldServer({ ...this.#options, entry });
    this.#held.set(entry.name, made);
    if (this.#isClosed) {
      this.#end(entry.name);
    }
    return made;
  }

  /** Ends all others, and those of these that have another configuration now. */
  keepOnly(entries: ReadonlyMap<string, ServerEntry>): void {
    for (const [name, held] of this.#held) {
      const entry = entries.get(name);
      if (entry === undefined || !held.fits(entry)) {
        this.#end(name);
      }
    }
  }

  rootsChanged(): void {
    for (const held of this.#held.values()) {
      held.rootsChanged();
    }
  }

  /** Resolves once nothing of any is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.keepOnly(new Map());
    await Promise.all(this.#ending);
  }

  #end(name: string): void {
    const held = this.#held.get(name);
    if (held === undefined) {
      return;
    }
    this.#held.delete(name);
    const ended = held.close().then(() => {
      this.#ending.delete(ended);
    });
    this.#ending.add(ended);
  }
}
