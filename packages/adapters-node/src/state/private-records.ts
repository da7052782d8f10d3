import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type DeleteResult, type SaveResult, tooLargeToKeep } from '@gemini-mcp/core';
import { ensurePrivateDirectory } from '../process/private-directory.ts';
import { absentUnlessShort, describeShortage } from '../process/system-shortage.ts';
import { attempt } from './attempt.ts';
import { describeWriteError } from './describe-write-error.ts';
import { discardRecord } from './discard-record.ts';
import { isMissing } from './error-code.ts';
import { listEntries, noneUnlessThere, type OnFault } from './list-entries.ts';
import { listOwners } from './list-owners.ts';
import { listRecord, type NoRecord, type RecordListing } from './list-record.ts';
import { ownerDirectoryName } from './owner-directory.ts';
import { OwnerTurns } from './owner-turns.ts';
import type { FoundRecord, PrivateRecordsOptions, RecordEntry, RecordToWrite } from './private-records-options.ts';
import { publishRecord } from './publish-record.ts';
import { quarantine } from './quarantine.ts';
import { readRecord } from './read-record.ts';
import { readSummary } from './read-summary.ts';
import { formatRecord, wrapValue } from './record-format.ts';
import { contentName, type RecordVersion } from './record-names.ts';
import { RecordRoom } from './record-room.ts';

/**
 * Records of owners as private files, each read back whole or not at all, shared by any number of processes. Every method
 * rejects with `signal.reason` when aborted, and for nothing else.
 */
export class PrivateRecords<Value, Summary extends object> {
  readonly #options: PrivateRecordsOptions<Value, Summary>;
  readonly #directory: string;
  /** Records that are read are in memory whole: those of one owner one after the other. */
  readonly #turns = new OwnerTurns();
  readonly #room: RecordRoom;
  readonly #isExpired = ({ stampMs }: RecordVersion): boolean => {
    const { clock, maxAgeMs } = this.#options;
    return maxAgeMs !== null && clock.now() - stampMs >= maxAgeMs;
  };
  readonly #headOf = (listing: RecordListing | NoRecord | null): RecordVersion | null => {
    const head = listing?.kind === 'record' ? listing.head : null;
    return head === null || this.#isExpired(head) ? null : head;
  };

  constructor(options: PrivateRecordsOptions<Value, Summary>) {
    this.#options = options;
    this.#directory = join(options.stateDirectory, options.kind);
    this.#room = new RecordRoom({ ...options, directory: this.#directory, isExpired: this.#isExpired });
  }

  /** Resolves to null for a record that is unknown, too old, another owner's, or unreadable. */
  async read(owner: string, key: string, signal: AbortSignal): Promise<FoundRecord<Value> | null> {
    return this.#turns.take(owner, () => this.#readNow(owner, key, signal));
  }

  /** As `read`, but rejects with words for a user where the system has run out of something: then it is not known whether there is a record. */
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
  async write({ owner, key, value, ...rest }: RecordToWrite<Value>, signal: AbortSignal): Promise<SaveResult> {
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
    return attempt(signal, [], () => this.#entries(owner, () => null, signal));
  }

  /** As `list`, but rejects with words for a user where it cannot be known which records there are. */
  async listIfAble(owner: string, signal: AbortSignal): Promise<readonly RecordEntry[]> {
    signal.throwIfAborted();
    try {
      return await this.#entries(owner, absentUnlessShort, signal);
    } catch (error) {
      signal.throwIfAborted();
      return noneUnlessThere(this.#directory, error);
    }
  }

  async #entries(owner: string, onFault: OnFault, signal: AbortSignal): Promise<readonly RecordEntry[]> {
    const directory = await this.#openOwner(owner);
    const { isKey } = this.#options;
    return directory === null ? [] : listEntries({ directory, isKey, headOf: this.#headOf, onFault }, signal);
  }

  /** What there is to say of the first records of a list that can be read, `limit` of them. Their values are not read. */
  async summarizeNewest(owner: string, limit: number, signal: AbortSignal): Promise<readonly Summary[]> {
    return this.#turns.take(owner, async () => {
      const summaries: Summary[] = [];
      for (const entry of await this.list(owner, signal)) {
        if (summaries.length >= limit) {
          break;
        }
        const summary = await this.#summaryOf(owner, entry, signal);
        summaries.push(...(summary === null ? [] : [summary]));
      }
      return summaries;
    });
  }

  /** From the whole record where its beginning does not tell: it is older than summaries, damaged, or was replaced just now. */
  async #summaryOf(owner: string, entry: RecordEntry, signal: AbortSignal): Promise<Summary | null> {
    const { parseSummary, summarize } = this.#options;
    const path = join(this.#pathOf(owner), entry.key, contentName(entry));
    const summary = parseSummary(await attempt(signal, null, () => readSummary(path)), owner, entry.key);
    if (summary !== null) {
      return summary;
    }
    const found = await this.#readNow(owner, entry.key, signal);
    return found === null ? null : summarize(found.value, Buffer.byteLength(JSON.stringify(found.value)));
  }

  /** The owners that have a record. */
  async owners(signal: AbortSignal): Promise<readonly string[]> {
    return attempt(signal, [], async () => {
      await this.#openDirectory();
      const { maxBytes } = this.#options;
      const named = await listOwners({ directory: this.#directory, isKey: this.#options.isKey, maxBytes }, signal);
      const owners: string[] = [];
      for (const owner of named) {
        owners.push(...((await this.list(owner, signal)).length > 0 ? [owner] : []));
      }
      return owners;
    });
  }

  /** Takes a record away in one step. */
  async remove(owner: string, key: string, signal: AbortSignal): Promise<DeleteResult> {
    signal.throwIfAborted();
    try {
      const directory = this.#options.isKey(key) ? await this.#openOwner(owner) : null;
      const isThere = directory !== null && this.#headOf(await listRecord(join(directory, key))) !== null;
      signal.throwIfAborted();
      if (!isThere || !(await discardRecord(join(directory, key)))) {
        return { deleted: false, reason: 'unknown' };
      }
      this.#room.giveBack({ owner: basename(directory), key });
      return { deleted: true };
    } catch (error) {
      signal.throwIfAborted();
      return { deleted: false, reason: 'unavailable', detail: describeWriteError(error) };
    }
  }

  /** Throws an `Error` that says why it cannot be kept. */
  #serialize(value: Value, owner: string, key: string): string {
    const { isKey, parse, summarize, maxBytes } = this.#options;
    if (!isKey(key)) {
      throw new Error('its id is none of ours');
    }
    const parsed = parse(wrapValue(value), owner, key);
    if (!parsed.ok) {
      throw new Error(`it could not be read back: ${parsed.reason}`);
    }
    const text = formatRecord(value, (bytes) => summarize(value, bytes));
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
    await this.#openDirectory();
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

  async #openDirectory(): Promise<void> {
    await ensurePrivateDirectory(this.#options.stateDirectory);
    await ensurePrivateDirectory(this.#directory);
    await this.#room.sweepAtTimes();
  }

  async #setAside(path: string, reason: string): Promise<null> {
    const target = await quarantine(path, this.#options.clock.now());
    if (target !== null) {
      this.#options.onQuarantine({ path: target, reason });
    }
    return null;
  }

  #pathOf(owner: string): string {
    return join(this.#directory, ownerDirectoryName(owner));
  }
}
