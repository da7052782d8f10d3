import { utf8Length } from '../context/utf8-length.ts';
import type { AnswerSaved, AnswerStore, AnswerSummary, AnswerToSave, StoredAnswer } from '../ports/answer-store.ts';
import type { Clock } from '../ports/clock.ts';
import { RecordLedger } from '../retention/record-ledger.ts';

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
  /** All texts of all owners, 256 MiB by default. The oldest of the owner that has the most go first. */
  readonly maxBytes?: number;
};

/** Answers that live as long as the object, or until their time or room is over. */
export class InMemoryAnswerStore implements AnswerStore {
  readonly #options: Required<InMemoryAnswerStoreOptions>;
  /** In the order in which they were saved. */
  readonly #answers = new Map<string, StoredAnswer>();
  readonly #ledger: RecordLedger;

  constructor(options: InMemoryAnswerStoreOptions) {
    this.#options = {
      expiryMs: 24 * 3_600_000,
      maxAnswerBytes: 8 * 1_048_576,
      maxOwnerBytes: 64 * 1_048_576,
      maxBytes: 256 * 1_048_576,
      ...options,
    };
    const { maxOwnerBytes: maxBytesOfOwner, maxBytes } = this.#options;
    this.#ledger = new RecordLedger({ maxRecordsOfOwner: Number.POSITIVE_INFINITY, maxBytesOfOwner, maxBytes });
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
    this.#makeRoom(answer);
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

  #makeRoom({ owner, handle: key, createdAtMs: stampMs, text }: StoredAnswer): void {
    const saved = { owner, key, stampMs, bytes: utf8Length(text) };
    this.#ledger.put(saved);
    for (const surplus of this.#ledger.takeSurplus(saved)) {
      this.#answers.delete(surplus.key);
    }
  }

  #begin(signal: AbortSignal): void {
    signal.throwIfAborted();
    const oldestMs = this.#options.clock.now() - this.#options.expiryMs;
    for (const { owner, handle, createdAtMs } of this.#answers.values()) {
      if (createdAtMs <= oldestMs) {
        this.#ledger.drop({ owner, key: handle });
        this.#answers.delete(handle);
      }
    }
  }
}

function summarize({ text, endNote: _, ...rest }: StoredAnswer): AnswerSummary {
  return { ...rest, characters: text.length };
}
