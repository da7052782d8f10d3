import { createHash, randomInt } from 'node:crypto';
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
import { describeStoreError } from './describe-store-error.ts';
import {
  deleteScript,
  getScript,
  infoScript,
  listScript,
  ownersScript,
  putScript,
  type Script,
  versionScript,
} from './record-scripts.ts';
import { ValkeyConnection, type ValkeyConnectionOptions } from './valkey-connection.ts';

export type ValkeyRecordStoreOptions = ValkeyConnectionOptions & {
  /** Begins the names of all keys, which end this store's part of the database. */
  readonly prefix: string;
  readonly clock: Clock;
  /** Called for the log with each unreadable record that was found. */
  readonly onDamage?: (damage: { readonly path: string; readonly reason: string }) => void;
};

/** How often to look for changes by other machines. */
const watchEveryMs = 200;

/** Above any count of calls for a record: a version that was lost with a failed primary is not drawn again. */
const maxVersion = 2 ** 47;

/**
 * Stores records in Valkey 8 or later or Redis 7.0 or later, shared by any number of machines. Connects at the first call. A call waits
 * less than a second for the server, also while it restarts, and then fails with a text for a user; a write that was reported as failed
 * for its time is not carried out later. Needs a server that evicts nothing (`noeviction`), and not a cluster.
 */
export class ValkeyRecordStore implements RecordStore {
  readonly #options: ValkeyRecordStoreOptions;
  readonly #connection: ValkeyConnection;

  constructor(options: ValkeyRecordStoreOptions) {
    this.#options = options;
    this.#connection = new ValkeyConnection(options);
  }

  async get(place: RecordPlace, signal: AbortSignal): Promise<StoredRecord | 'damaged' | null> {
    const reply = isRecordKey(place.key) ? await this.#look(getScript, place, [], signal) : null;
    signal.throwIfAborted();
    if (reply === null || reply === 'damaged') {
      return reply === null ? null : this.#reportDamage(place, 'not of this format, or not as long as it was written');
    }
    const [version, digest, summary, text] = reply as readonly [string, string, string, string];
    return digest === digestOf(place, summary, text)
      ? { version: Number(version), summary, text }
      : this.#reportDamage(place, 'not as it was written');
  }

  async put(record: RecordToPut, signal: AbortSignal): Promise<SaveResult> {
    signal.throwIfAborted();
    const { kind, owner, expectedVersion, stampMs, summary, text } = record;
    const problem = whyUnfit(record, Buffer.byteLength(text) + Buffer.byteLength(summary));
    if (problem !== null) {
      return { saved: false, reason: 'unavailable', detail: problem };
    }
    const version = randomInt(1, maxVersion);
    const identity = [String(expectedVersion), String(version), String(stampMs), JSON.stringify(owner)];
    const bounds = [kind.maxRecordsOfOwner, kind.maxBytesOfOwner, kind.maxBytes].map(String);
    const reply = await this.#write(putScript, record, [
      ...identity,
      digestOf(record, summary, text),
      kind.whenFull === 'refuse' ? '1' : '0',
      ...bounds,
      summary,
      text,
    ]);
    switch (reply) {
      case 'set-aside':
        this.#reportDamage(record, 'not as it was written, and replaced');
        return { saved: true, version };
      case 'saved':
        return { saved: true, version };
      case 'conflict':
        return { saved: false, reason: 'conflict' };
      case 'full':
        return { saved: false, reason: 'unavailable', detail: 'there is no room for more' };
      default:
        return { saved: false, reason: 'unavailable', detail: describeStoreError(reply, this.#options.url) };
    }
  }

  async list(place: Omit<RecordPlace, 'key'>, limit: number, signal: AbortSignal): Promise<readonly ListedRecord[]> {
    const reply = await this.#look(listScript, { ...place, key: '' }, [String(limit)], signal);
    const rows = reply as readonly (readonly [string, string, string, string])[];
    return rows.map(([key, version, bytes, summary]) => {
      return { key, version: Number(version), bytes: Number(bytes), summary };
    });
  }

  async delete(place: RecordPlace, signal: AbortSignal): Promise<DeleteResult> {
    signal.throwIfAborted();
    const reply = isRecordKey(place.key) ? await this.#write(deleteScript, place, []) : 'unknown';
    switch (reply) {
      case 'deleted':
        return { deleted: true };
      case 'unknown':
        return { deleted: false, reason: 'unknown' };
      default:
        return { deleted: false, reason: 'unavailable', detail: describeStoreError(reply, this.#options.url) };
    }
  }

  async owners(kind: RecordKind, signal: AbortSignal): Promise<readonly string[]> {
    const reply = await this.#look(ownersScript, { kind, owner: '', key: '' }, [], signal);
    return (reply as readonly string[]).map((name) => JSON.parse(name));
  }

  async watch(place: RecordPlace, version: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    while ((await this.#newestVersion(place, version)) === version) {
      await this.#options.clock.sleep(watchEveryMs, signal);
    }
    signal.throwIfAborted();
  }

  /** Resolves to a fault of the server, as the end of a sentence for an operator, or to null. Reads no record and never rejects. */
  async findProblem(): Promise<string | null> {
    const { url } = this.#options;
    const info = await this.#connection.run(infoScript, ['', '', '', '']).catch((error: unknown) => error);
    if (typeof info !== 'string') {
      return describeStoreError(info, url);
    }
    const [, policy = ''] = /^maxmemory_policy:(\w+)/m.exec(info) ?? [];
    if (/^role:slave/m.test(info)) {
      return describeStoreError(new Error('READONLY '), url);
    }
    return policy.startsWith('allkeys')
      ? `the shared store at ${url.protocol}//${url.host} may evict records: set its maxmemory-policy to noeviction (${policy})`
      : null;
  }

  /** Ends the connection. A later call opens a new one. */
  close(): void {
    this.#connection.close();
  }

  /** `version` if the server cannot say. */
  async #newestVersion(place: RecordPlace, version: number): Promise<number> {
    try {
      return Number((isRecordKey(place.key) ? await this.#run(versionScript, place, []) : null) ?? 0);
    } catch {
      return version;
    }
  }

  /** Rejects with the abort reason, or with an error in words for a user. */
  async #look(script: Script, place: RecordPlace, args: readonly string[], signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const reply = await this.#run(script, place, args).catch((error: unknown) => error);
    signal.throwIfAborted();
    if (reply instanceof Error) {
      throw new UnreadableStoreError(
        `The stored data cannot be read: ${describeStoreError(reply, this.#options.url)}.`,
      );
    }
    return reply;
  }

  /** Goes on when the caller leaves: otherwise it would be unknown what became of it. Resolves to an error instead of rejecting. */
  async #write(script: Script, place: RecordPlace, args: readonly string[]): Promise<unknown> {
    return await this.#run(script, place, args).catch((error: unknown) => error);
  }

  async #run(script: Script, { kind, owner, key }: RecordPlace, args: readonly string[]): Promise<unknown> {
    const { clock, prefix } = this.#options;
    const oldestMs = kind.maxAgeMs === null ? '-inf' : String(clock.now() - kind.maxAgeMs);
    return await this.#connection.run(script, [`${prefix}:${kind.name}`, nameOf(owner), key, oldestMs, ...args]);
  }

  #reportDamage({ kind, owner, key }: RecordPlace, reason: string): 'damaged' {
    const path = `${this.#options.prefix}:${kind.name}:record:${nameOf(owner)}:${key}`;
    this.#options.onDamage?.({ path, reason });
    return 'damaged';
  }
}

/** A digest of JSON, because UTF-8 encodes all lone surrogates alike. */
function nameOf(owner: string): string {
  return createHash('sha256').update(JSON.stringify(owner)).digest('base64url');
}

/** Also computed in Lua, which has SHA-1 only: it is to find damage, not forgery. */
function digestOf({ owner, key }: RecordPlace, summary: string, text: string): string {
  const hash = createHash('sha1').update(`${nameOf(owner)}${key}${Buffer.byteLength(summary)}:`);
  return hash.update(summary).update(text).digest('hex');
}
