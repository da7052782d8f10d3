import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listRecord, type NoRecord, type RecordListing } from './list-record.ts';
import type { RecordEntry } from './private-records-options.ts';
import type { RecordVersion } from './record-names.ts';

/** Says of a record that cannot be looked at that there is none, or throws. */
export type OnFault = (error: unknown) => null;

export type EntriesToList = {
  /** Of one owner. */
  readonly directory: string;
  readonly isKey: (name: string) => boolean;
  readonly headOf: (listing: RecordListing | NoRecord | null) => RecordVersion | null;
  readonly onFault: OnFault;
};

/** The records of a directory, most recently updated first, those of one time by their keys. Rejects where it cannot be read. */
export async function listEntries(
  { directory, isKey, headOf, onFault }: EntriesToList,
  signal: AbortSignal,
): Promise<readonly RecordEntry[]> {
  const entries: RecordEntry[] = [];
  for (const key of (await readdir(directory)).filter(isKey)) {
    signal.throwIfAborted();
    const head = headOf(await listRecord(join(directory, key)).catch(onFault));
    entries.push(...(head === null ? [] : [{ ...head, key }]));
  }
  return entries.sort((a, b) => b.stampMs - a.stampMs || (a.key < b.key ? -1 : 1));
}
