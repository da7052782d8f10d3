import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, RecordBounds } from '@gemini-mcp/core';
import { isRecordKey, type RetentionEntry, RetentionIndex } from '@gemini-mcp/core/internal';
import { discardRecord, retireRecord } from '../disk/durable/discard-record.ts';
import { isOwnerDirectoryName } from '../disk/durable/owner-directory.ts';
import {
  contentName,
  isDiscardedName,
  parseDraftName,
  type RecordVersion,
  seemsAlive,
} from '../disk/durable/record-names.ts';
import { headOf, listRecord, type RecordListing } from './list-record.ts';
import { fenceRecord, removeSuperseded } from './publish-record.ts';

export type RecordRoomOptions = {
  /** Holds a directory for each owner. */
  readonly directory: string;
  readonly clock: Clock;
  readonly bounds: RecordBounds;
  readonly isExpired: (version: RecordVersion) => boolean;
};

const sweepEveryMs = 3_600_000;

/**
 * Keeps the records in a directory within their bounds. Counts existing records at first use and again with each sweep; saves by other
 * processes in between are not counted. Owners are identified by their directory names.
 */
export class RecordRoom {
  readonly #options: RecordRoomOptions;
  #ledger: RetentionIndex;
  #sweptAtMs: number | null = null;
  #sweep: Promise<void> = Promise.resolve();

  constructor(options: RecordRoomOptions) {
    this.#options = options;
    this.#ledger = new RetentionIndex(options.bounds);
  }

  /** Removes expired records and counts the rest: at the first call, and hourly. Resolves when that is done. */
  async sweepAtTimes(): Promise<void> {
    const { clock, bounds } = this.#options;
    const nowMs = clock.now();
    if (this.#sweptAtMs === null || Math.abs(nowMs - this.#sweptAtMs) >= sweepEveryMs) {
      this.#sweptAtMs = nowMs;
      const ledger = new RetentionIndex(bounds);
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

  /** Counts a saved record and removes any excess. Anything that cannot be removed is left to the next sweep. */
  async makeFor(saved: RetentionEntry): Promise<void> {
    this.#ledger.put(saved);
    for (const { owner, key, stampMs } of this.#ledger.takeSurplus(saved)) {
      const directory = join(this.#options.directory, owner, key);
      await this.#retire(directory, stampMs).catch(() => undefined);
    }
  }

  /** Another process may have used the record since: then it is no longer the oldest. */
  async #retire(directory: string, stampMs: number): Promise<void> {
    const head = headOf(directory);
    if (head !== null && head.stampMs <= stampMs) {
      await retireRecord(directory, head);
    }
  }

  /** Whether a record fits without removing another. */
  hasRoomFor(record: RetentionEntry): boolean {
    return this.#ledger.hasRoomFor(record);
  }

  /** Stops counting a record. */
  giveBack(record: Pick<RetentionEntry, 'owner' | 'key'>): void {
    this.#ledger.drop(record);
  }
}

type RecordSweep = {
  /** Holds a directory for each owner. */
  readonly directory: string;
  readonly isOwner: (name: string) => boolean;
  readonly isKey: (name: string) => boolean;
  readonly isExpired: (version: RecordVersion) => boolean;
  /** Called with each record that stays, and the size in bytes of its newest version. */
  readonly onRecord: (record: SweptRecord) => void;
};

type SweptRecord = {
  /** The name of the owner's directory. */
  readonly owner: string;
  readonly key: string;
  readonly stampMs: number;
  readonly bytes: number;
};

/**
 * Removes expired records, and the leftovers of killed writers. Leaves alone anything that a living writer is about to publish, and any
 * name that is not ours. Anything that cannot be removed is left for the next time.
 */
async function sweepRecords(sweep: RecordSweep): Promise<void> {
  for (const owner of (await readNames(sweep.directory)).filter(sweep.isOwner)) {
    const directory = join(sweep.directory, owner);
    for (const name of await readNames(directory)) {
      await sweepEntry(join(directory, name), name, sweep).catch(() => undefined);
      await tellOf(owner, name, sweep).catch(() => undefined);
    }
  }
}

async function tellOf(owner: string, key: string, { directory, isKey, onRecord }: RecordSweep): Promise<void> {
  const path = join(directory, owner, key);
  const listing = isKey(key) ? listRecord(path) : null;
  if (listing?.kind === 'record' && listing.head !== null) {
    const { size: bytes } = await lstat(join(path, contentName(listing.head)));
    onRecord({ owner, key, stampMs: listing.head.stampMs, bytes });
  }
}

/** The subdirectories of a directory, without links. */
async function readNames(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

async function sweepEntry(path: string, name: string, { isKey, isExpired }: RecordSweep): Promise<void> {
  if (isDiscardedName(name)) {
    await rm(path, { recursive: true, force: true });
    return;
  }
  const draftTag = parseDraftName(name);
  if (draftTag !== null && !seemsAlive(draftTag)) {
    await discardRecord(path);
    return;
  }
  const listing = isKey(name) ? listRecord(path) : null;
  if (listing?.kind === 'record') {
    await tidyRecord(path, listing, isExpired);
  }
}

async function tidyRecord(
  directory: string,
  { head, contents, isGone }: RecordListing,
  isExpired: RecordSweep['isExpired'],
): Promise<void> {
  if (head === null) {
    await (isGone ? discardRecord(directory) : undefined);
    return;
  }
  if (isExpired(head)) {
    await retireRecord(directory, head);
    return;
  }
  const unpublished = contents.filter((content) => content.version > head.version);
  if (unpublished.length > 0 && unpublished.every((content) => !seemsAlive(content.tag))) {
    await fenceRecord(directory, head, new AbortController().signal);
    return;
  }
  if (contents.length > 1) {
    await removeSuperseded(directory);
  }
}
