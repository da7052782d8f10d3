import { utf8Length } from '../context/utf8-length.ts';
import type { AnswerSaved, AnswerStore, AnswerSummary, AnswerToSave, StoredAnswer } from '../ports/answer-store.ts';
import type { Clock } from '../ports/clock.ts';

export type InMemoryAnswerStoreOptions = {
  readonly clock: Clock;
  /** Mints a handle: unpredictable, 32 characters of `a-z0-9` at most, never one twice. */
  readonly createHandle: () => string;
  /** 24 hours by default. */
  readonly expiryMs?: number;
  /** The longest text in bytes of UTF-8, 8 MiB by default. */
  readonly maxAnswerBytes?: number;
  /** All texts of an owner, 64 MiB by default. The oldest go first; the newest stays, whatever its size. */
  readonly maxOwnerBytes?: number;
};

/** Answers that live as long as the object, or until their time or room is over. */
export class InMemoryAnswerStore implements AnswerStore {
  readonly #options: Required<InMemoryAnswerStoreOptions>;
  /** In the order in which they were saved. */
  readonly #answers = new Map<string, StoredAnswer>();

  constructor(options: InMemoryAnswerStoreOptions) {
    this.#options = {
      expiryMs: 24 * 3_600_000,
      maxAnswerBytes: 8 * 1_048_576,
      maxOwnerBytes: 64 * 1_048_576,
      ...options,
    };
  }

  async save({ text, ...about }: AnswerToSave, signal: AbortSignal): Promise<AnswerSaved> {
    this.#begin(signal);
    const { clock, createHandle, maxAnswerBytes } = this.#options;
    if (utf8Length(text) > maxAnswerBytes) {
      return { saved: false, detail: `the answer is larger than the ${maxAnswerBytes} bytes that are kept of one` };
    }
    const answer: StoredAnswer = { ...about, handle: createHandle(), createdAtMs: clock.now(), text };
    if (this.#answers.has(answer.handle)) {
      return { saved: false, detail: 'its handle is taken' };
    }
    this.#answers.set(answer.handle, answer);
    this.#makeRoom(answer.owner);
    return { saved: true, answer: summarize(answer) };
  }

  async load(owner: string, handle: string, signal: AbortSignal): Promise<StoredAnswer | null> {
    this.#begin(signal);
    const answer = this.#answers.get(handle);
    return answer?.owner === owner ? answer : null;
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly AnswerSummary[]> {
    this.#begin(signal);
    return this.#newestFirst(owner).slice(0, limit).map(summarize);
  }

  #newestFirst(owner: string): StoredAnswer[] {
    return [...this.#answers.values()]
      .filter((answer) => answer.owner === owner)
      .reverse()
      .sort((a, b) => b.createdAtMs - a.createdAtMs);
  }

  #makeRoom(owner: string): void {
    let bytes = 0;
    for (const [index, { handle, text }] of this.#newestFirst(owner).entries()) {
      bytes += utf8Length(text);
      if (index > 0 && bytes > this.#options.maxOwnerBytes) {
        this.#answers.delete(handle);
      }
    }
  }

  #begin(signal: AbortSignal): void {
    signal.throwIfAborted();
    const oldestMs = this.#options.clock.now() - this.#options.expiryMs;
    for (const { handle, createdAtMs } of this.#answers.values()) {
      if (createdAtMs <= oldestMs) {
        this.#answers.delete(handle);
      }
    }
  }
}

function summarize({ text, endNote: _, ...rest }: StoredAnswer): AnswerSummary {
  return { ...rest, characters: text.length };
}
