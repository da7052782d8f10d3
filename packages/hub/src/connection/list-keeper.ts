import type { Clock } from '@gemini-mcp/core';
import { hasSlept, type KeptLists, type ServerLists } from '@gemini-mcp/core/internal';
import type { ListsReading } from './read-lists.ts';

export type ListKeeperOptions = {
  readonly clock: Clock;
  readonly kept: KeptLists;
  /** Names the configuration of the server and its owner. */
  readonly key: string;
  readonly relistMs: number;
  /** Reads the lists over the connection that there is; null where there is none. */
  readonly read: (signal: AbortSignal) => Promise<ListsReading | null>;
  /** The lists are others than before. */
  readonly onChange: () => void;
};

/** Has the lists of a server without asking it, and reads them again when they may have changed. */
export class ListKeeper {
  readonly #options: ListKeeperOptions;
  readonly #closing = new AbortController();
  #lists: ServerLists | null = null;
  #loading: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #isStale = false;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #problem: string | null = null;

  constructor(options: ListKeeperOptions) {
    this.#options = options;
  }

  /** Why the lists could not be read the last time; null where they could. */
  get problem(): string | null {
    return this.#problem;
  }

  /** The lists as they are known; null where they never were. Asks no server, and never rejects. */
  async known(): Promise<ServerLists | null> {
    this.#loading ??= this.#load();
    await this.#loading;
    return this.#lists;
  }

  /** Has them read soon, and at most once in `relistMs`. Resolves when they are as new as when it was asked; never rejects. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#reading ??= this.#readWhileStale();
    await this.#reading;
  }

  close(): void {
    this.#closing.abort();
  }

  async #load(): Promise<void> {
    const { kept, key } = this.#options;
    const loaded = await kept.load(key, this.#closing.signal);
    this.#lists ??= loaded;
  }

  async #readWhileStale(): Promise<void> {
    await this.known();
    const { clock, relistMs } = this.#options;
    while (this.#isStale && !this.#closing.signal.aborted) {
      await hasSlept(clock, this.#readAtMs + relistMs - clock.now(), this.#closing.signal);
      this.#isStale = false;
      this.#readAtMs = clock.now();
      await this.#readOnce();
    }
    // In the same step as the look at `#isStale`: nothing comes in between.
    this.#reading = undefined;
  }

  async #readOnce(): Promise<void> {
    const { read, kept, key, onChange } = this.#options;
    const reading = await read(this.#closing.signal);
    if (reading === null || this.#closing.signal.aborted) {
      return;
    }
    this.#problem = reading.type === 'failed' ? reading.detail : null;
    if (reading.type === 'failed') {
      return;
    }
    const before = this.#lists;
    this.#lists = reading.lists;
    if (before === null || contentOf(before) !== contentOf(reading.lists)) {
      onChange();
    }
    await kept.save(key, reading.lists, this.#closing.signal);
  }
}

function contentOf({ takenAtMs: _, ...content }: ServerLists): string {
  return JSON.stringify(content);
}
