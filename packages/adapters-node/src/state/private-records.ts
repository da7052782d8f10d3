import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Clock, type RecordBounds, type SaveResult, tooLargeToKeep } from '@gemini-mcp/core';
import { ensurePrivateDirectory } from '../process/private-directory.ts';
import { describeShortage } from '../process/system-shortage.ts';
import { attempt } from './attempt.ts';
import { describeWriteError } from './describe-write-error.ts';
import { discardRecord } from './discard-record.ts';
import { isMissing } from './error-code.ts';
import { listRecord, type NoRecord, type RecordListing } from './list-record.ts';
import { OwnerTurns } from './owner-turns.ts';
import { publishRecord } from './publish-record.ts';
import { type Quarantined, quarantine } from './quarantine.ts';
import { readRecord } from './read-record.ts';
import type { RecordVersion } from './record-names.ts';
import { RecordRoom } from './record-room.ts';

export type PrivateRecordsOptions<Value> = {
  /** For this user alone; made when it is needed. */
  readonly stateDirectory: string;
  /** The directory in it that these records share with nothing else. */
  readonly kind: string;
  readonly clock: Clock;
  /** Whether a name may be a record's. It becomes part of a path, so it must not hold a separator or begin with a dot. */
  readonly isKey: (key: string) => boolean;
  /** What a record says, or why it is none of that owner and key. */
  readonly parse: (value: unknown, owner: string, key: string) => ParsedRecord<Value>;
  /** Of one record. */
  readonly maxBytes: number;
  /**
   * What is kept of all records. The account is taken when they are first used, and again with each sweep: what other processes
   * save in between is not counted.
   */
  readonly bounds: RecordBounds;
  /** Records whose last update is so long ago do not exist any more; null keeps them for ever. */
  readonly maxAgeMs: number | null;
  readonly onQuarantine: (quarantined: Quarantined) => void;
};

export type ParsedRecord<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

export type FoundRecord<Value> = { readonly value: Value; readonly version: number };

export type RecordEntry = RecordVersion & { readonly key: string };

export type RecordToWrite = {
  readonly owner: string;
  readonly key: string;
  /** 0 for a record that must not exist yet. */
  readonly expectedVersion: number;
  readonly stampMs: number;
  /** Anything that JSON can hold. */
  readonly value: unknown;
};

/**
 * Records of owners as private files, each read back whole or not at all, shared by any number of processes. Every method
 * rejects with `signal.reason` when aborted, and for nothing else.
 */
export class PrivateRecords<Value> {
  readonly #options: PrivateRecordsOptions<Value>;
  readonly #directory: string;
  /** Records that are read are in memory whole: those of one owner one after the other. */
  readonly #turns = new OwnerTurns();
  readonly #room: RecordRoom;

  constructor(options: PrivateRecordsOptions<Value>) {
    this.#options = options;
    this.#directory = join(options.stateDirectory, options.kind);
    const isExpired = (version: RecordVersion): boolean => this.#isExpired(version);
    this.#room = new RecordRoom({ ...options, directory: this.#directory, isExpired });
  }

  /** Resolves to null for a record that is unknown, too old, another owner's, or unreadable. */
  async read(owner: string, key: string, signal: AbortSignal): Promise<FoundRecord<Value> | null> {
    return this.#turns.take(owner, () => this.#readNow(owner, key, signal));
  }

  /** As `read`, but rejects with words for a user where the system has run out of something: then nobody knows of the record. */
  async readIfAble(owner: string, key: string, signal: AbortSignal): Promise<FoundRecord<Value> | null> {
    let shortage: string | null = null;
    const found = await this.#turns.take(owner, () =>
      attempt(signal, null, () =>
        this.#find(owner, key).catch((error: unknown) => {
          shortage = describeShortage(error);
          return null;
        }),
      ),
    );
    if (shortage !== null) {
      throw new Error(shortage);
    }
    return found;
  }

  async #readNow(owner: string, key: string, signal: AbortSignal): Promise<FoundRecord<Value> | null> {
    return attempt(signal, null, () => this.#find(owner, key));
  }

  async #find(owner: string, key: string): Promise<FoundRecord<Value> | null> {
    const directory = this.#options.isKey(key) ? await this.#openOwner(owner) : null;
    return directory === null ? null : this.#readIn(directory, owner, key);
  }

  /** Saves if the expected version still is the newest one, and if the record can be read back. */
  async write({ owner, key, value, ...rest }: RecordToWrite, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    try {
      const text = this.#serialize(value, owner, key);
      await this.#openOwner(owner);
      await ensurePrivateDirectory(this.#pathOf(owner));
      const version = await publishRecord({ directory: join(this.#pathOf(owner), key), text, ...rest }, signal);
      if (version === null) {
        return { saved: false, reason: 'conflict' };
      }
      await this.#room.makeFor({
        owner: basename(this.#pathOf(owner)),
        key,
        stampMs: rest.stampMs,
        bytes: Buffer.byteLength(text),
      });
      return { saved: true, version };
    } catch (error) {
      signal.throwIfAborted();
      return { saved: false, reason: 'unavailable', detail: describeWriteError(error) };
    }
  }

  /** The owner's records, most recently updated first, those of one time by their keys. None of them is opened. */
  async list(owner: string, signal: AbortSignal): Promise<readonly RecordEntry[]> {
    return attempt(signal, [], async () => {
      const directory = await this.#openOwner(owner);
      const names = directory === null ? [] : await readdir(directory);
      const entries: RecordEntry[] = [];
      for (const key of names.filter(this.#options.isKey)) {
        signal.throwIfAborted();
        const head = this.#headOf(await listRecord(join(this.#pathOf(owner), key)).catch(() => null));
        entries.push(...(head === null ? [] : [{ ...head, key }]));
      }
      return entries.sort((a, b) => b.stampMs - a.stampMs || (a.key < b.key ? -1 : 1));
    });
  }

  /** Reads the first records of a list that can be read, `limit` of them. */
  async readNewest(owner: string, limit: number, signal: AbortSignal): Promise<readonly Value[]> {
    return this.#turns.take(owner, async () => {
      const values: Value[] = [];
      for (const { key } of await this.list(owner, signal)) {
        if (values.length >= limit) {
          break;
        }
        const found = await this.#readNow(owner, key, signal);
        values.push(...(found === null ? [] : [found.value]));
      }
      return values;
    });
  }

  /** Resolves to whether there was such a record. */
  async remove(owner: string, key: string, signal: AbortSignal): Promise<boolean> {
    return attempt(signal, false, async () => {
      const directory = this.#options.isKey(key) ? await this.#openOwner(owner) : null;
      if (directory === null || this.#headOf(await listRecord(join(directory, key))) === null) {
        return false;
      }
      this.#room.giveBack({ owner: basename(directory), key });
      return discardRecord(join(directory, key));
    });
  }

  /** Throws an `Error` that says why it cannot be kept. */
  #serialize(value: unknown, owner: string, key: string): string {
    const { isKey, parse, maxBytes } = this.#options;
    if (!isKey(key)) {
      throw new Error('its id is none of ours');
    }
    const parsed = parse(value, owner, key);
    if (!parsed.ok) {
      throw new Error(`it could not be read back: ${parsed.reason}`);
    }
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    if (bytes > maxBytes) {
      throw new Error(tooLargeToKeep(bytes, { maxBytesOfRecord: maxBytes }));
    }
    return text;
  }

  async #readIn(directory: string, owner: string, key: string): Promise<FoundRecord<Value> | null> {
    const path = join(directory, key);
    const read = await readRecord(path, this.#options.maxBytes);
    if (read.kind === 'missing') {
      return null;
    }
    if (read.kind === 'corrupt') {
      return this.#setAside(path, read.reason);
    }
    if (this.#isExpired(read.head)) {
      return null;
    }
    const parsed = this.#options.parse(read.value, owner, key);
    return parsed.ok ? { value: parsed.value, version: read.head.version } : this.#setAside(path, parsed.reason);
  }

  /** Resolves to null for an owner without records. Rejects where the directory is not for this user alone. */
  async #openOwner(owner: string): Promise<string | null> {
    await ensurePrivateDirectory(this.#options.stateDirectory);
    await ensurePrivateDirectory(this.#directory);
    await this.#room.sweepAtTimes();
    const directory = this.#pathOf(owner);
    try {
      return (await lstat(directory)).isDirectory() ? directory : await this.#setAside(directory, 'not a directory');
    } catch (error) {
      if (isMissing(error)) {
        return null;
      }
      throw error;
    }
  }

  async #setAside(path: string, reason: string): Promise<null> {
    const target = await quarantine(path, this.#options.clock.now());
    if (target !== null) {
      this.#options.onQuarantine({ path: target, reason });
    }
    return null;
  }

  #headOf(listing: RecordListing | NoRecord | null): RecordVersion | null {
    const head = listing?.kind === 'record' ? listing.head : null;
    return head === null || this.#isExpired(head) ? null : head;
  }

  #isExpired({ stampMs }: RecordVersion): boolean {
    const { clock, maxAgeMs } = this.#options;
    return maxAgeMs !== null && clock.now() - stampMs >= maxAgeMs;
  }

  /** By a hash: an owner's name is anything. JSON, because UTF-8 has one and the same for all lone surrogates. */
  #pathOf(owner: string): string {
    return join(this.#directory, createHash('sha256').update(JSON.stringify(owner)).digest('hex').slice(0, 32));
  }
}
