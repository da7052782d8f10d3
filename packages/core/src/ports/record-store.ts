import type { DeleteResult, SaveResult } from './session-store.ts';

/** How much is kept of one kind of records, in UTF-8 bytes of their texts and summaries. */
export type RecordBounds = {
  readonly maxRecordsOfOwner: number;
  readonly maxBytesOfOwner: number;
  /** Of all owners together. */
  readonly maxBytes: number;
};

/** A namespace of the store, and the rules for the records in it. */
export type RecordKind = RecordBounds & {
  /** Lower-case letters, digits and dashes, 32 at most. */
  readonly name: string;
  readonly maxBytesOfRecord: number;
  /** A record expires this long after its `stampMs`. Null keeps records for ever. */
  readonly maxAgeMs: number | null;
  /** Makes room by removing the oldest records, or refuses the new one. */
  readonly whenFull: 'remove-oldest' | 'refuse';
};

export type RecordPlace = {
  readonly kind: RecordKind;
  /** Any text. Owners are the same only if every UTF-16 unit is. */
  readonly owner: string;
  /** Lower-case letters, digits and dashes, 128 at most, a letter or digit first. Anything else is never found and never kept. */
  readonly key: string;
};

export type RecordToPut = RecordPlace & {
  /** The version to replace; 0 to create the record. */
  readonly expectedVersion: number;
  /** Time of the last update, as the caller states it, in milliseconds since the epoch. */
  readonly stampMs: number;
  /** What `list` returns: well-formed text, 16 KiB at most. */
  readonly summary: string;
  /** Well-formed text. */
  readonly text: string;
};

export type StoredRecord = Pick<RecordToPut, 'summary' | 'text'> & {
  /** A token: compare it for equality only. Never 0, and never used again for the same place, even after a deletion. */
  readonly version: number;
};

export type ListedRecord = Omit<StoredRecord, 'text'> & {
  readonly key: string;
  /** Of the text and the summary in UTF-8, as the bounds count them. */
  readonly bytes: number;
};

/**
 * Keeps small texts by kind, owner and key: the one store under conversations, answers, approvals, pins, lists and credentials. To keep all of them
 * in another engine, implement this interface.
 *
 * Implementations must:
 * - Return a record whole or not at all, after a restart and a kill at any moment. Every instance over the same place sees what any other instance
 *   puts or deletes.
 * - Let exactly one of several concurrent puts at one version succeed, in one process or several.
 * - Show no record under another kind, owner or key.
 * - Keep the bounds of each kind, give or take what other processes put at the same time. A record over `maxBytesOfRecord` is refused. At the bounds
 *   of an owner, the owner's oldest records go; at the bound of all owners, the oldest of the owner that holds the most. A record that was just put
 *   stays.
 * - Treat an expired record as unknown in every method at once, by the store's clock.
 * - Report a record that cannot be read (damaged, or of a later format) as `damaged` from `get` and omit it from every list, without disturbing
 *   others. It can be put again at version 0.
 * - Let only the user of the process read the records.
 * - Reject with `signal.reason` if the signal is aborted, and then change nothing. `get`, `list` and `owners` also reject, with an `Error` whose text
 *   is for a user, if the store cannot look (no permission, no descriptors, no connection). Nothing else rejects. No method leaves a listener on the
 *   signal.
 */
export interface RecordStore {
  /** Resolves to null if the record is missing or expired. */
  get(place: RecordPlace, signal: AbortSignal): Promise<StoredRecord | 'damaged' | null>;
  /** Resolves to a conflict if another version is the newest. */
  put(record: RecordToPut, signal: AbortSignal): Promise<SaveResult>;
  /** The newest records of an owner by `stampMs`, at most `limit`. Records of one time always come in the same order. Reads no texts. */
  list(place: Omit<RecordPlace, 'key'>, limit: number, signal: AbortSignal): Promise<readonly ListedRecord[]>;
  delete(place: RecordPlace, signal: AbortSignal): Promise<DeleteResult>;
  /** Each owner with a record of the kind, once, in any order. */
  owners(kind: RecordKind, signal: AbortSignal): Promise<readonly string[]>;
  /** Resolves once the newest version differs from `version` (0: missing), at once if it does already, within a second of the change. */
  watch(place: RecordPlace, version: number, signal: AbortSignal): Promise<void>;
}
