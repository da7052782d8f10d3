import type {
  Clock,
  RecordKind,
  RecordPlace,
  RecordStore,
  RecordToPut,
  SaveResult,
  StoredRecord,
} from '@gemini-mcp/core';
import type { FakeClock } from '@gemini-mcp/core/testing';
import type { Proof } from '../proof.ts';
import type { RecordDamage, StoreFeatures } from '../stores/store-features.ts';

export type RecordStoreHarness = {
  readonly store: RecordStore;
  /** The same records as another process would see them. */
  readonly reopen: () => RecordStore;
  /** Makes every put and every deletion fail, until the returned function is called. */
  readonly breakWriting?: () => Promise<() => Promise<void>>;
  /** Makes a record unreadable. */
  readonly damage?: (place: RecordPlace, damage: RecordDamage) => Promise<void>;
  readonly dispose: () => Promise<void>;
};

/** Makes a place without records, and a store over it that uses no other clock. */
export type CreateRecordStore = (clock: Clock) => Promise<RecordStoreHarness>;

export type RecordStoreSubject = {
  readonly proof: Proof;
  readonly open: () => Promise<RecordStoreHarness & { readonly clock: FakeClock }>;
  readonly features: StoreFeatures;
};

export const signal: AbortSignal = new AbortController().signal;

/** The one kind of most tests, with distant bounds. */
export const notes: RecordKind = {
  name: 'notes',
  maxBytesOfRecord: 4_194_304,
  maxRecordsOfOwner: 1_000,
  maxBytesOfOwner: 67_108_864,
  maxBytes: 134_217_728,
  maxAgeMs: null,
  whenFull: 'remove-oldest',
};

export function recordOf(fields: Partial<RecordToPut> = {}): RecordToPut {
  return {
    kind: notes,
    owner: 'alice',
    key: 'first',
    expectedVersion: 0,
    stampMs: 1_000,
    summary: 'A topic',
    text: 'What it says',
    ...fields,
  };
}

/** A record with a text of this many bytes. */
export function sized(key: string, bytes: number, fields: Partial<RecordToPut> = {}): RecordToPut {
  return recordOf({ key, summary: '', text: 'x'.repeat(bytes), ...fields });
}

/** A missing record. */
export function versionOf(result: SaveResult | StoredRecord | 'damaged' | null): number {
  return result !== null && result !== 'damaged' && 'version' in result ? result.version : -1;
}

/** The keys of an owner's records, the newest first. */
export async function keysOf(store: RecordStore, owner = 'alice', kind: RecordKind = notes): Promise<string> {
  return (await store.list({ kind, owner }, 1_000, signal)).map(({ key }) => key).join(' ');
}
