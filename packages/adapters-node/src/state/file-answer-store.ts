import type {
  AnswerSaved,
  AnswerStore,
  AnswerSummary,
  AnswerToSave,
  Clock,
  SaveResult,
  StoredAnswer,
} from '@gemini-mcp/core';
import * as z from 'zod';
import { PrivateRecords } from './private-records.ts';
import type { Quarantined } from './quarantine.ts';
import { parseRecord } from './record-format.ts';

export type FileAnswerStoreOptions = {
  /** The state directory: for this user alone, and made when it is needed. Several processes may share it. */
  readonly directory: string;
  readonly clock: Clock;
  /** Mints a handle: unpredictable, 32 characters of `a-z0-9` at most, never one twice. */
  readonly createHandle: () => string;
  /** 24 hours by default. */
  readonly expiryMs?: number;
  /** The largest answer in bytes as it is stored, 8 MiB by default. */
  readonly maxAnswerBytes?: number;
  /** All answers of an owner, 64 MiB by default. The oldest go first; the newest stays, whatever its size. */
  readonly maxOwnerBytes?: number;
  /** All answers of all owners, 1 GiB by default. The oldest of the owner that has the most go first. */
  readonly maxBytes?: number;
  /** Told what stood in an answer's place and was moved out of the way, for the log. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
};

const answerSchema = z.strictObject({
  handle: z.string(),
  owner: z.string(),
  title: z.string(),
  createdAtMs: z.number(),
  text: z.string(),
  endNote: z.string().exactOptional(),
});

const summarySchema = z.strictObject({
  handle: z.string(),
  owner: z.string(),
  title: z.string(),
  createdAtMs: z.number(),
  characters: z.number(),
});

const handlePattern = /^[a-z0-9]{1,32}$/;

/** Answers as private files below `answers/`, kept as sessions are (see `FileSessionStore`), for a time and up to a size. */
export class FileAnswerStore implements AnswerStore {
  readonly #clock: Clock;
  readonly #createHandle: () => string;
  readonly #records: PrivateRecords<StoredAnswer, AnswerSummary>;

  constructor(options: FileAnswerStoreOptions) {
    this.#clock = options.clock;
    this.#createHandle = options.createHandle;
    this.#records = new PrivateRecords<StoredAnswer, AnswerSummary>({
      stateDirectory: options.directory,
      kind: 'answers',
      clock: options.clock,
      isKey: (key) => handlePattern.test(key),
      parse: (value, owner, key) =>
        parseRecord(answerSchema, value, (answer) => answer.owner === owner && answer.handle === key),
      summarize,
      parseSummary: (value, owner, handle) => {
        const { data } = summarySchema.safeParse(value);
        return data?.owner === owner && data.handle === handle ? data : null;
      },
      maxBytes: options.maxAnswerBytes ?? 8 * 1_048_576,
      bounds: {
        maxRecordsOfOwner: 10_000,
        maxBytesOfOwner: options.maxOwnerBytes ?? 64 * 1_048_576,
        maxBytes: options.maxBytes ?? 1_024 * 1_048_576,
      },
      maxAgeMs: options.expiryMs ?? 24 * 3_600_000,
      onQuarantine: options.onQuarantine ?? (() => undefined),
    });
  }

  async save(given: AnswerToSave, signal: AbortSignal): Promise<AnswerSaved> {
    signal.throwIfAborted();
    const { owner, title, text, ...more } = given;
    const about = { handle: this.#createHandle(), owner, title, createdAtMs: this.#clock.now() };
    const answer: StoredAnswer = { ...about, text, ...more };
    const result = await this.#write(answer, signal);
    if (!result.saved) {
      return { saved: false, detail: result.reason === 'conflict' ? 'its handle is taken' : result.detail };
    }
    return { saved: true, answer: summarize(answer) };
  }

  async load(owner: string, handle: string, signal: AbortSignal): Promise<StoredAnswer | null> {
    return (await this.#records.read(owner, handle, signal))?.value ?? null;
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly AnswerSummary[]> {
    return this.#records.summarizeNewest(owner, limit, signal);
  }

  #write(answer: StoredAnswer, signal: AbortSignal): Promise<SaveResult> {
    const { owner, handle, createdAtMs } = answer;
    const record = { owner, key: handle, expectedVersion: 0, stampMs: createdAtMs, value: answer };
    return this.#records.write(record, signal);
  }
}

function summarize({ text, endNote: _, ...rest }: StoredAnswer): AnswerSummary {
  return { ...rest, characters: text.length };
}
