import { join } from 'node:path';
import { contentName, headName, type RecordVersion } from '../disk/durable/record-names.ts';
import { listRecord } from './list-record.ts';
import { type RecordFile, readRecordFile } from './record-file.ts';

export type NewestRecord =
  | { readonly kind: 'found'; readonly head: RecordVersion; readonly file: RecordFile }
  | { readonly kind: 'missing' }
  /** We cannot have written this record. */
  | { readonly kind: 'damaged'; readonly reason: string };

/** A head that points to nothing, or no head: a put may have come between listing and opening. */
type DeadEnd = { readonly kind: 'dead-end'; readonly headName: string | null };

/** Reads the newest version of a record. Rejects if the system refuses, which proves nothing about the record. */
export async function readNewest(directory: string, maxBytes: number): Promise<NewestRecord> {
  let previous: DeadEnd | null = null;
  for (;;) {
    const read = await readOnce(directory, maxBytes);
    if (read.kind !== 'dead-end') {
      return read;
    }
    // A changed head means that the record was put in between, so this loop ends.
    if (previous?.headName === read.headName) {
      return { kind: 'damaged', reason: read.headName === null ? 'without a head' : 'its contents are missing' };
    }
    previous = read;
  }
}

async function readOnce(directory: string, maxBytes: number): Promise<NewestRecord | DeadEnd> {
  const listing = listRecord(directory);
  if (listing.kind === 'missing') {
    return listing;
  }
  if (listing.kind === 'not-a-directory') {
    return { kind: 'damaged', reason: 'not a real directory' };
  }
  const { head, isGone } = listing;
  if (head === null) {
    return isGone ? { kind: 'missing' } : { kind: 'dead-end', headName: null };
  }
  const file = await readRecordFile(join(directory, contentName(head)), maxBytes);
  if (file === null) {
    return { kind: 'dead-end', headName: headName(head) };
  }
  return 'reason' in file ? { kind: 'damaged', ...file } : { kind: 'found', head, file };
}
