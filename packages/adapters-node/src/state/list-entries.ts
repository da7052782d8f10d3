import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describeShortage } from '../process/system-shortage.ts';
import { describeWriteError } from './describe-write-error.ts';
import { isMissing } from './error-code.ts';
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

/** Nothing where there never was a directory, whatever keeps one from being made. Otherwise rejects with words for a user. */
export async function noneUnlessThere(directory: string, error: unknown): Promise<readonly RecordEntry[]> {
  if (await lstat(directory).then(() => false, isMissing)) {
    return [];
  }
  throw new Error(describeShortage(error) ?? `What is kept cannot be read: ${describeWriteError(error)}.`);
}
