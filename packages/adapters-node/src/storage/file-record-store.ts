import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type {
  Clock,
  DeleteResult,
  ListedRecord,
  RecordKind,
  RecordPlace,
  RecordStore,
  RecordToPut,
  SaveResult,
  StoredRecord,
} from '@gemini-mcp/core';
import { isRecordKey, UnreadableStoreError, whyUnfit } from '@gemini-mcp/core/internal';
import { discardRecord, retireRecord } from '../disk/durable/discard-record.ts';
import { isOwnerDirectoryName, ownerDirectoryName } from '../disk/durable/owner-directory.ts';
import { OwnerTurns } from '../disk/durable/owner-turns.ts';
import { type Quarantined, quarantine } from '../disk/durable/quarantine.ts';
import { contentName, type RecordVersion } from '../disk/durable/record-names.ts';
import { checkPrivateDirectory, ensurePrivateDirectory } from '../disk/private-directory.ts';
import { describeShortage, isShortage } from '../processes/system-shortage.ts';
import { describeWriteError } from './describe-write-error.ts';
import { headOf } from './list-record.ts';
import { publishRecord } from './publish-record.ts';
import { readNewest } from './read-newest.ts';
import { formatRecordFile, type RecordHead, readRecordHead } from './record-file.ts';
import { RecordRoom } from './record-room.ts';
import { setAsideOlderState } from './set-aside-older-state.ts';

export type FileRecordStoreOptions = {
  /** The state directory: private to this user, created when needed. Several processes may share it. */
  readonly directory: string;
  readonly clock: Clock;
  /** Called for the log with each unreadable file that was moved aside. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
};

/** How often to check for other processes' changes. */
const watchEveryMs = 200;

/** A listing yields to other work after this many names. */
const namesAtOnce = 64;

/**
 * Stores records as private files below `records/<kind>`, shared by any number of processes: a directory for each owner, with a directory
 * for each record. Anything else in the place of a record is moved to `<name>.corrupt-<time>`, and the newest 16 of these stay. Expired
 * records are unknown at once, and removed at the first put or list of their kind and hourly.
 */
export class FileRecordStore implements RecordStore {
  readonly #options: FileRecordStoreOptions;
  readonly #root: string;
  readonly #rooms = new Map<string, RecordRoom>();
  /** Large records are held in memory while they are read: one at a time for each owner. */
  readonly #turns = new OwnerTurns();
  #hasLookedForOlder = false;

  constructor(options: FileRecordStoreOptions) {
    this.#options = options;
    this.#root = join(options.directory, 'records');
  }

  async get(place: RecordPlace, signal: AbortSignal): Promise<StoredRecord | 'damaged' | null> {
    return await this.#turns.take(place.owner, () => look(signal, () => this.#read(place)));
  }

  async put(record: RecordToPut, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    try {
      return await this.#put(record, signal);
    } catch (error) {
      signal.throwIfAborted();
      return { saved: false, reason: 'unavailable', detail: describeWriteError(error) };
    }
  }

  async list(
    { kind, owner }: Omit<RecordPlace, 'key'>,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly ListedRecord[]> {
    return await look(signal, async () => {
      if (!this.#isThere(kind)) {
        return [];
      }
      await this.#roomOf(kind).sweepAtTimes();
      const directory = await this.#findOwner(kind, owner);
      if (directory === null) {
        return [];
      }
      const listed = await this.#listHeads({ kind, directory, limit, isOf: (head) => head.owner === owner }, signal);
      return listed.map(({ key, summary, textBytes, version }) => {
        return { key, summary, version, bytes: textBytes + Buffer.byteLength(summary) };
      });
    });
  }

  async delete(place: RecordPlace, signal: AbortSignal): Promise<DeleteResult> {
    signal.throwIfAborted();
    try {
      const directory = isRecordKey(place.key) ? await this.#findOwner(place.kind, place.owner) : null;
      if (directory === null || this.#headIn(join(directory, place.key), place.kind) === null) {
        return { deleted: false, reason: 'unknown' };
      }
      await this.#roomOf(place.kind).sweepAtTimes();
      signal.throwIfAborted();
      if (!(await discardRecord(join(directory, place.key)))) {
        return { deleted: false, reason: 'unknown' };
      }
      this.#roomOf(place.kind).giveBack({ owner: basename(directory), key: place.key });
      return { deleted: true };
    } catch (error) {
      signal.throwIfAborted();
      return { deleted: false, reason: 'unavailable', detail: describeWriteError(error) };
    }
  }

  async owners(kind: RecordKind, signal: AbortSignal): Promise<readonly string[]> {
    return await look(signal, async () => {
      if (!this.#isThere(kind)) {
        return [];
      }
      await this.#roomOf(kind).sweepAtTimes();
      const owners: string[] = [];
      for (const name of readdirSync(this.#directoryOf(kind)).filter(isOwnerDirectoryName)) {
        const isOf = ({ owner }: RecordHead): boolean => ownerDirectoryName(owner) === name;
        const directory = join(this.#directoryOf(kind), name);
        const [first] = await this.#listHeads({ kind, directory, limit: 1, isOf }, signal).catch(() => []);
        signal.throwIfAborted();
        owners.push(...(first === undefined ? [] : [first.owner]));
      }
      return owners;
    });
  }

  async watch({ kind, owner, key }: RecordPlace, version: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const path = join(this.#directoryOf(kind), ownerDirectoryName(owner), key);
    const newest = (): number => (isRecordKey(key) ? (this.#headIn(path, kind)?.version ?? 0) : 0);
    while (newest() === version) {
      await this.#options.clock.sleep(watchEveryMs, signal);
    }
  }

  async #read(place: RecordPlace): Promise<StoredRecord | 'damaged' | null> {
    const { kind, owner, key } = place;
    const directory = isRecordKey(key) ? await this.#findOwner(kind, owner) : null;
    if (directory === null) {
      return null;
    }
    const newest = await readNewest(join(directory, key), kind.maxBytesOfRecord);
    if (newest.kind === 'missing') {
      return wasSetAside(directory, key) ? 'damaged' : null;
    }
    if (newest.kind === 'found' && this.#isExpired(newest.head, kind)) {
      return null;
    }
    if (newest.kind === 'found' && newest.file.owner === owner && newest.file.key === key) {
      return { version: newest.head.version, summary: newest.file.summary, text: newest.file.text };
    }
    await this.#setAside(join(directory, key), newest.kind === 'found' ? 'the record of another place' : newest.reason);
    return 'damaged';
  }

  async #put(record: RecordToPut, signal: AbortSignal): Promise<SaveResult> {
    const { kind, owner, key, expectedVersion, stampMs } = record;
    const problem = whyUnfit(record, Buffer.byteLength(record.text) + Buffer.byteLength(record.summary));
    if (problem !== null) {
      return { saved: false, reason: 'unavailable', detail: problem };
    }
    const text = formatRecordFile(record);
    const parent = await this.#makeOwner(kind, owner);
    const entry = { owner: basename(parent), key, stampMs, bytes: Buffer.byteLength(text) };
    if (kind.whenFull === 'refuse' && !this.#roomOf(kind).hasRoomFor(entry)) {
      return { saved: false, reason: 'unavailable', detail: 'there is no room for more' };
    }
    const directory = join(parent, key);
    await this.#clear(record, directory);
    const version = await publishRecord({ directory, expectedVersion, stampMs, text }, signal);
    if (version === null) {
      return { saved: false, reason: 'conflict' };
    }
    await this.#roomOf(kind).makeFor(entry);
    return { saved: true, version };
  }

  /** Removes an expired record, and sets a damaged one aside for a new one. */
  async #clear(record: RecordToPut, directory: string): Promise<void> {
    const head = headOf(directory);
    if (head !== null && this.#isExpired(head, record.kind)) {
      await retireRecord(directory, head);
    } else if (record.expectedVersion === 0 && lstatSync(directory, { throwIfNoEntry: false }) !== undefined) {
      await this.#read(record);
    }
  }

  /** The newest readable records in an owner's directory. Opens no more records than it returns. */
  async #listHeads(
    { kind, directory, limit, isOf }: HeadsToList,
    signal: AbortSignal,
  ): Promise<readonly (RecordHead & RecordVersion)[]> {
    const heads: (RecordHead & RecordVersion)[] = [];
    for (const entry of await this.#newestFirst(kind, directory, signal)) {
      if (heads.length >= limit) {
        break;
      }
      const head = await this.#readHead(directory, entry, isOf);
      heads.push(...(head === null ? [] : [{ ...entry, ...head }]));
    }
    return heads;
  }

  async #readHead(directory: string, entry: Entry, isOf: HeadsToList['isOf']): Promise<RecordHead | null> {
    const path = join(directory, entry.key);
    const head = readRecordHead(join(path, contentName(entry)));
    if (head !== null && !('reason' in head) && head.key === entry.key && isOf(head)) {
      return head;
    }
    // Null if the record was replaced just now: the next listing has it.
    if (head !== null) {
      await this.#setAside(path, 'reason' in head ? head.reason : 'the record of another place');
    }
    return null;
  }

  /** Judged by their names alone. */
  async #newestFirst(kind: RecordKind, directory: string, signal: AbortSignal): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
    for (const [index, key] of readdirSync(directory).filter(isRecordKey).entries()) {
      if (index % namesAtOnce === namesAtOnce - 1) {
        await setImmediate();
        signal.throwIfAborted();
      }
      const head = this.#headIn(join(directory, key), kind);
      entries.push(...(head === null ? [] : [{ ...head, key }]));
    }
    return entries.sort((one, other) => other.stampMs - one.stampMs || (one.key < other.key ? -1 : 1));
  }

  /** Null for a record that is missing, expired or unreadable. Throws if the system is out of resources. */
  #headIn(path: string, kind: RecordKind): RecordVersion | null {
    try {
      const head = headOf(path);
      return head === null || this.#isExpired(head, kind) ? null : head;
    } catch (error) {
      if (isShortage(error)) {
        throw error;
      }
      return null;
    }
  }

  #isExpired({ stampMs }: RecordVersion, { maxAgeMs }: RecordKind): boolean {
    return maxAgeMs !== null && this.#options.clock.now() - stampMs >= maxAgeMs;
  }

  /** Null for an owner without records. Throws if a directory is open to other users. */
  async #findOwner(kind: RecordKind, owner: string): Promise<string | null> {
    if (!this.#isThere(kind)) {
      return null;
    }
    const directory = join(this.#directoryOf(kind), ownerDirectoryName(owner));
    const stats = lstatSync(directory, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) {
      await this.#setAside(directory, 'not a directory');
      return null;
    }
    return stats === undefined ? null : directory;
  }

  #isThere(kind: RecordKind): boolean {
    this.#setAsideOlder();
    const isThere = lstatSync(this.#directoryOf(kind), { throwIfNoEntry: false }) !== undefined;
    for (const path of isThere ? [this.#options.directory, this.#root, this.#directoryOf(kind)] : []) {
      checkPrivateDirectory(path);
    }
    return isThere;
  }

  async #makeOwner(kind: RecordKind, owner: string): Promise<string> {
    this.#setAsideOlder();
    for (const path of [this.#options.directory, this.#root, this.#directoryOf(kind)]) {
      await makePrivate(path);
    }
    await this.#findOwner(kind, owner);
    const directory = join(this.#directoryOf(kind), ownerDirectoryName(owner));
    await makePrivate(directory);
    await this.#roomOf(kind).sweepAtTimes();
    return directory;
  }

  #setAsideOlder(): void {
    if (!this.#hasLookedForOlder) {
      this.#hasLookedForOlder = true;
      const aside = setAsideOlderState(this.#options.directory, this.#options.clock.now());
      if (aside !== null) {
        this.#options.onQuarantine?.(aside);
      }
    }
  }

  async #setAside(path: string, reason: string): Promise<void> {
    const target = await quarantine(path, this.#options.clock.now());
    if (target !== null) {
      this.#options.onQuarantine?.({ path: target, reason });
    }
  }

  #roomOf(kind: RecordKind): RecordRoom {
    const { clock } = this.#options;
    const isExpired = (version: RecordVersion): boolean => this.#isExpired(version, kind);
    const room =
      this.#rooms.get(kind.name) ??
      new RecordRoom({ clock, bounds: kind, directory: this.#directoryOf(kind), isExpired });
    this.#rooms.set(kind.name, room);
    return room;
  }

  #directoryOf({ name }: RecordKind): string {
    return join(this.#root, name);
  }
}

type Entry = RecordVersion & { readonly key: string };

type HeadsToList = {
  readonly kind: RecordKind;
  /** The owner's directory. */
  readonly directory: string;
  readonly limit: number;
  readonly isOf: (head: RecordHead) => boolean;
};

/** Rejects with the abort reason, or with an error in words for a user. */
async function look<Result>(signal: AbortSignal, act: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  try {
    const result = await act();
    signal.throwIfAborted();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw new UnreadableStoreError(
      describeShortage(error) ?? `The stored data cannot be read: ${describeWriteError(error)}.`,
    );
  }
}

/** Creates a directory only if missing, which spares most puts eight trips to the thread pool. */
async function makePrivate(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    await ensurePrivateDirectory(path);
  } else {
    checkPrivateDirectory(path);
  }
}

function wasSetAside(directory: string, key: string): boolean {
  return readdirSync(directory).some((name) => name.startsWith(`${key}.corrupt-`));
}
