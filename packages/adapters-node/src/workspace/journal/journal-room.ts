import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, RecordBounds } from '@gemini-mcp/core';
import { RetentionIndex } from '@gemini-mcp/core/internal';
import { discardRecord } from '../../disk/durable/discard-record.ts';
import { isOwnerDirectoryName } from '../../disk/durable/owner-directory.ts';
import { isDiscardedName } from '../../disk/durable/record-names.ts';
import { copiesName, journalName } from './run-journal.ts';

export type JournalRoomOptions = {
  /** Holds a directory for each owner, with a directory for each run. */
  readonly directory: string;
  readonly clock: Clock;
  readonly bounds: RecordBounds;
  readonly retentionMs: number;
  /** Whether the journal is still in use, which keeps it. */
  readonly isInUse: (directory: string) => Promise<boolean>;
};

const sweepEveryMs = 3_600_000;

/** Keeps run journals within their bounds: removes expired and excess ones, the oldest first. */
export class JournalRoom {
  readonly #options: JournalRoomOptions;
  #ledger: RetentionIndex;
  #sweptAtMs: number | null = null;
  #sweep: Promise<void> = Promise.resolve();

  constructor(options: JournalRoomOptions) {
    this.#options = options;
    this.#ledger = new RetentionIndex(options.bounds);
  }

  /** Removes expired journals and counts the rest: at the first call, and hourly. */
  async sweepAtTimes(): Promise<void> {
    const nowMs = this.#options.clock.now();
    if (this.#sweptAtMs === null || Math.abs(nowMs - this.#sweptAtMs) >= sweepEveryMs) {
      this.#sweptAtMs = nowMs;
      this.#ledger = new RetentionIndex(this.#options.bounds);
      this.#sweep = this.#sweepAll();
    }
    await this.#sweep;
  }

  /** Counts a run and removes any excess. */
  async makeFor(owner: string, key: string): Promise<void> {
    const entry = await this.#entryOf(owner, key);
    if (entry === null) {
      return;
    }
    this.#ledger.put(entry);
    for (const surplus of this.#ledger.takeSurplus(entry)) {
      await this.#discard(join(this.#options.directory, surplus.owner, surplus.key));
    }
  }

  async #sweepAll(): Promise<void> {
    const { directory } = this.#options;
    for (const owner of (await namesIn(directory)).filter(isOwnerDirectoryName)) {
      for (const key of await namesIn(join(directory, owner))) {
        await this.#sweepOne(owner, key);
      }
    }
  }

  async #sweepOne(owner: string, key: string): Promise<void> {
    const { directory, clock, retentionMs } = this.#options;
    const path = join(directory, owner, key);
    if (isDiscardedName(key)) {
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
      return;
    }
    const entry = await this.#entryOf(owner, key);
    if (entry !== null && clock.now() - entry.stampMs >= retentionMs) {
      await this.#discard(path);
    } else if (entry !== null) {
      await this.#removeCopies(path);
      this.#ledger.put(entry);
    }
  }

  /** The copies of a run whose process was killed: they are useful only while it runs. */
  async #removeCopies(directory: string): Promise<void> {
    const copies = join(directory, copiesName);
    const isThere = await lstat(copies).then(
      () => true,
      () => false,
    );
    if (isThere && !(await this.#options.isInUse(directory).catch(() => true))) {
      await rm(copies, { recursive: true, force: true }).catch(() => undefined);
    }
  }

  async #discard(directory: string): Promise<void> {
    if (!(await this.#options.isInUse(directory).catch(() => true))) {
      await discardRecord(directory).catch(() => false);
    }
  }

  /** Null for a directory that is not ours or is unreadable. Its time is that of its last line. */
  async #entryOf(
    owner: string,
    key: string,
  ): Promise<{ owner: string; key: string; stampMs: number; bytes: number } | null> {
    const path = join(this.#options.directory, owner, key);
    try {
      const stats = await lstat(join(path, journalName)).catch(() => lstat(path));
      return { owner, key, stampMs: stats.mtimeMs, bytes: await bytesIn(path) };
    } catch {
      return null;
    }
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  let bytes = 0;
  for (const entry of entries) {
    const stats = await lstat(join(entry.parentPath, entry.name)).catch(() => null);
    bytes += stats?.size ?? 0;
  }
  return bytes;
}
