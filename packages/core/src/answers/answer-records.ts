import { isNumber, isText, nullable, objectOf, parseShape } from '../json/shape.ts';
import type { AnswerSaved, AnswerStore, AnswerSummary, AnswerToSave, StoredAnswer } from '../ports/answer-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { RecordKind, RecordStore } from '../ports/record-store.ts';
import { InMemoryRecordStore } from '../records/in-memory-record-store.ts';

export type AnswerRecordsOptions = {
  /** The store of the answers. If missing, they are kept in memory for as long as the object lives. */
  readonly records?: RecordStore;
  readonly clock: Clock;
  /** Creates a handle: unpredictable, at most 32 characters of `a-z0-9`, never repeated. */
  readonly createHandle: () => string;
  /** Defaults to 24 hours. */
  readonly expiryMs?: number;
  /** The largest answer, 8 MiB by default. This limit and the following are in bytes of JSON. */
  readonly maxAnswerBytes?: number;
  /** All answers of an owner, 64 MiB by default. The oldest go first; the newest stays, whatever its size. */
  readonly maxOwnerBytes?: number;
  /** All answers of all owners, 1 GiB by default, 256 MiB in memory. The oldest of the owner that holds the most go first. */
  readonly maxBytes?: number;
};

type Body = { readonly text: string; readonly endNote: string | null };

const isBody = objectOf<Body>({ text: isText, endNote: nullable(isText) });

type Summary = Pick<AnswerSummary, 'title' | 'createdAtMs' | 'characters'>;

const isSummary = objectOf<Summary>({ title: isText, createdAtMs: isNumber, characters: isNumber });

const mebibyte = 1_048_576;

/** Keeps long answers as records of any `RecordStore`. */
export class AnswerRecords implements AnswerStore {
  readonly #options: Pick<AnswerRecordsOptions, 'clock' | 'createHandle'>;
  readonly #records: RecordStore;
  readonly #kind: RecordKind;

  constructor(options: AnswerRecordsOptions) {
    this.#options = options;
    this.#records = options.records ?? new InMemoryRecordStore(options.clock);
    this.#kind = {
      name: 'answers',
      maxBytesOfRecord: options.maxAnswerBytes ?? 8 * mebibyte,
      maxRecordsOfOwner: 10_000,
      maxBytesOfOwner: options.maxOwnerBytes ?? 64 * mebibyte,
      maxBytes: options.maxBytes ?? (options.records === undefined ? 256 : 1_024) * mebibyte,
      maxAgeMs: options.expiryMs ?? 24 * 3_600_000,
      whenFull: 'remove-oldest',
    };
  }

  async save({ owner, title, text, endNote }: AnswerToSave, signal: AbortSignal): Promise<AnswerSaved> {
    const { clock, createHandle } = this.#options;
    const createdAtMs = clock.now();
    const handle = createHandle();
    const summary: Summary = { title, createdAtMs, characters: text.length };
    const body: Body = { text, endNote: endNote ?? null };
    const place = { kind: this.#kind, owner, key: handle, expectedVersion: 0, stampMs: createdAtMs };
    const result = await this.#records.put(
      { ...place, summary: JSON.stringify(summary), text: JSON.stringify(body) },
      signal,
    );
    if (!result.saved) {
      return { saved: false, detail: result.reason === 'conflict' ? 'its handle is taken' : result.detail };
    }
    return { saved: true, answer: { handle, owner, ...summary } };
  }

  async load(owner: string, handle: string, signal: AbortSignal): Promise<StoredAnswer | null> {
    const place = { kind: this.#kind, owner, key: handle };
    const found = await this.#records.get(place, signal);
    if (found === null || found === 'damaged') {
      return null;
    }
    const [summary, body] = [parseShape(isSummary, found.summary), parseShape(isBody, found.text)];
    if (summary === null || body === null) {
      return null;
    }
    const { title, createdAtMs } = summary;
    const { text, endNote } = body;
    return { handle, owner, title, createdAtMs, text, ...(endNote !== null && { endNote }) };
  }

  async list(owner: string, limit: number, signal: AbortSignal): Promise<readonly AnswerSummary[]> {
    const listed = await this.#records.list({ kind: this.#kind, owner }, limit, signal);
    return listed.flatMap(({ key: handle, summary: text }) => {
      const summary = parseShape(isSummary, text);
      return summary === null ? [] : [{ handle, owner, ...summary }];
    });
  }
}
