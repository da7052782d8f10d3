import { join } from 'node:path';
import type { Clock, RecordBounds } from '@gemini-mcp/core';
import { isRecordKey, type LedgerEntry, RecordLedger } from '@gemini-mcp/core/internal';
import { retireRecord } from './discard-record.ts';
import { headOf } from './list-record.ts';
import { isOwnerDirectoryName } from './owner-directory.ts';
import type { RecordVersion } from './record-names.ts';
import { sweepRecords } from './sweep-records.ts';

export type RecordRoomOptions = {
  /** Holds a directory for each owner. */
  readonly directory: string;
  readonly clock: Clock;
  readonly bounds: RecordBounds;
  readonly isExpired: (version: RecordVersion) => boolean;
};

const sweepEveryMs = 3_600_000;

/**
 * Keeps the records in a directory within their bounds. What is there is counted when they are first used, and again with each
 * sweep: what other processes save in between is not counted. The owners are the names of their directories.
 */
export class RecordRoom {
  readonly #options: RecordRoomOptions;
  #ledger: RecordLedger;
  #sweptAtMs: number | null = null;
  #sweep: Promise<void> = Promise.resolve();

  constructor(options: RecordRoomOptions) {
    this.#options = options;
    this.#ledger = new RecordLedger(options.bounds);
  }

  /** Removes what is too old and counts what is left: at the first call, and hourly. Resolves when that is done. */
  async sweepAtTimes(): Promise<void> {
    const { clock, bounds } = this.#options;
    const nowMs = clock.now();
    if (this.#sweptAtMs === null || Math.abs(nowMs - this.#sweptAtMs) >= sweepEveryMs) {
      this.#sweptAtMs = nowMs;
      const ledger = new RecordLedger(bounds);
      this.#ledger = ledger;
      this.#sweep = sweepRecords({
        ...this.#options,
        isOwner: isOwnerDirectoryName,
        isKey: isRecordKey,
        onRecord: (record) => ledger.put(record),
      });
    }
    await this.#sweep;
  }

  /** Counts what was saved, and takes away what is too much now. What cannot be removed is left for the next sweep to find. */
  async makeFor(saved: LedgerEntry): Promise<void> {
    this.#ledger.put(saved);
    for (const { owner, key, stampMs } of this.#ledger.takeSurplus(saved)) {
      const directory = join(this.#options.directory, owner, key);
      await this.#retire(directory, stampMs).catch(() => undefined);
    }
  }

  /** Another process may have used the record since: then it is not the oldest any more. */
  async #retire(directory: string, stampMs: number): Promise<void> {
    const head = headOf(directory);
    if (head !== null && head.stampMs <= stampMs) {
      await retireRecord(directory, head);
    }
  }

  /** Whether a record can be kept without removing another. */
  hasRoomFor(record: LedgerEntry): boolean {
    return this.#ledger.hasRoomFor(record);
  }

  /** Counts a record no longer. */
  giveBack(record: Pick<LedgerEntry, 'owner' | 'key'>): void {
    this.#ledger.drop(record);
  }
}
