import type { UsageEntry, UsageLedger } from '../ports/usage-ledger.ts';

/** Beyond this, the oldest entries are dropped. */
const maxEntries = 10_000;

/** Keeps the last 10,000 entries until the process ends. */
export class InMemoryUsageLedger implements UsageLedger {
  readonly #entries: UsageEntry[] = [];

  record(entry: UsageEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length > maxEntries) {
      this.#entries.shift();
    }
  }

  async *read(sinceMs: number, signal: AbortSignal): AsyncGenerator<readonly UsageEntry[], void, undefined> {
    signal.throwIfAborted();
    yield this.#entries.filter(({ atMs }) => atMs >= sinceMs);
    signal.throwIfAborted();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
