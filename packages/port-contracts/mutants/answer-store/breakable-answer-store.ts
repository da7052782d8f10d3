import type { AnswerSaved, AnswerStore, AnswerSummary, AnswerToSave, StoredAnswer } from '@gemini-mcp/core';

/** A right store whose writing a test can break and whose records it can damage, over a store that knows neither. */
export class BreakableAnswerStore implements AnswerStore {
  readonly #whole: AnswerStore;
  /** Handles of unreadable records. */
  readonly #damaged = new Set<string>();
  #canWrite = true;

  constructor(whole: AnswerStore) {
    this.#whole = whole;
  }

  /** Until the returned function is called. */
  breakWriting(): () => void {
    this.#canWrite = false;
    return () => {
      this.#canWrite = true;
    };
  }

  damage({ handle }: AnswerSummary): void {
    this.#damaged.add(handle);
  }

  async save(answer: AnswerToSave, signal: AbortSignal): Promise<AnswerSaved> {
    signal.throwIfAborted();
    return this.#canWrite ? this.#whole.save(answer, signal) : { saved: false, detail: 'the disk is full' };
  }

  async load(owner: string, handle: string, signal: AbortSignal): Promise<StoredAnswer | null> {
    const loaded = await this.#whole.load(owner, handle, signal);
    return this.#damaged.has(handle) ? null : loaded;
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly AnswerSummary[]> {
    const all = await this.#whole.list(owner, Number.MAX_SAFE_INTEGER, signal);
    return all.filter(({ handle }) => !this.#damaged.has(handle)).slice(0, limit);
  }
}
