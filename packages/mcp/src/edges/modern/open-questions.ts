import { randomBytes } from 'node:crypto';
import { type Clock, InMemoryRecordStore, type RecordKind, type RecordStore } from '@gemini-mcp/core';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { errorCodes, RpcError } from '../../input/request-params.ts';

const mebibyte = 1_048_576;

const questions: RecordKind = {
  name: 'open-questions',
  maxBytesOfRecord: 1_024,
  maxRecordsOfOwner: 1_000,
  maxBytesOfOwner: mebibyte,
  maxBytes: 16 * mebibyte,
  maxAgeMs: 3_600_000,
  whenFull: 'remove-oldest',
};

const keys: RecordKind = { ...questions, name: 'question-keys', maxAgeMs: null, whenFull: 'refuse' };

/** The time for which a question can be taken. */
export const openMs = 3_600_000;

const signingKey = { kind: keys, owner: 'server', key: 'signing' };
const [open, taken] = ['open', 'taken'];

/**
 * Remembers which questions of suspended runs are open, so that each is answered once, by one process. Holds no text of a question.
 * Processes with the same records share the questions and the key that signs what clients bring back. Rejects with an `RpcError` if
 * the records cannot be written.
 */
export class OpenQuestions {
  readonly #records: () => Promise<RecordStore>;
  readonly #clock: Clock;
  #key: Promise<Uint8Array> | null = null;

  /** Remembers them in this process alone if `records` is missing. */
  constructor({ clock, records }: Pick<McpServerOptions, 'clock' | 'records'>) {
    const inMemory = new InMemoryRecordStore(clock);
    this.#clock = clock;
    this.#records = records ?? (() => Promise.resolve(inMemory));
  }

  /** The same for all processes, created once. */
  key(): Promise<Uint8Array> {
    this.#key ??= this.#loadKey().catch((error: unknown) => {
      this.#key = null;
      throw error;
    });
    return this.#key;
  }

  async add(owner: string, id: string): Promise<void> {
    await this.#put({ kind: questions, owner, key: id, expectedVersion: 0, text: open });
  }

  /** Resolves to false if the question is not open: never asked, taken before, or expired. */
  async take(owner: string, id: string): Promise<boolean> {
    const place = { kind: questions, owner, key: id };
    const records = await this.#records();
    const record = await records.get(place, never);
    if (record === null || record === 'damaged' || record.text !== open) {
      return false;
    }
    return this.#put({ ...place, expectedVersion: record.version, text: taken });
  }

  async #loadKey(): Promise<Uint8Array> {
    const records = await this.#records();
    const record = await records.get(signingKey, never);
    if (record !== null && record !== 'damaged') {
      return Buffer.from(record.text, 'base64');
    }
    const text = randomBytes(32).toString('base64');
    await this.#put({ ...signingKey, expectedVersion: 0, text });
    // Another process may have been first: its key counts.
    return this.#loadKey();
  }

  /** Resolves to false if another process was first. */
  async #put(
    record: Pick<Parameters<RecordStore['put']>[0], 'kind' | 'owner' | 'key' | 'expectedVersion' | 'text'>,
  ): Promise<boolean> {
    const records = await this.#records();
    const saved = await records.put({ ...record, stampMs: this.#clock.now(), summary: '' }, never);
    if (!saved.saved && saved.reason === 'unavailable') {
      throw new RpcError(errorCodes.internalError, `The question cannot be kept: ${saved.detail}`);
    }
    return saved.saved;
  }
}

/** What has begun is finished: a question that is half taken would be lost. */
const never = new AbortController().signal;
