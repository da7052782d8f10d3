import type { KeptLists, ServerLists } from '@gemini-mcp/core/internal';

/** More configurations than anybody has at a time. */
const maxRecords = 1_000;

/** Keeps lists for as long as this process lives; of too many, those that were saved last. */
export class InMemoryKeptLists implements KeptLists {
  readonly #records = new Map<string, ServerLists>();

  async load(key: string): Promise<ServerLists | null> {
    return this.#records.get(key) ?? null;
  }

  async save(key: string, lists: ServerLists): Promise<void> {
    this.#records.delete(key);
    this.#records.set(key, lists);
    const [oldest] = this.#records.keys();
    if (this.#records.size > maxRecords && oldest !== undefined) {
      this.#records.delete(oldest);
    }
  }
}
