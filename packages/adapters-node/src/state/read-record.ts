import { join } from 'node:path';
import { listRecord } from './list-record.ts';
import { readContents } from './read-contents.ts';
import { contentName, headName, type RecordVersion } from './record-names.ts';

export type ReadRecord =
  | { readonly kind: 'found'; readonly head: RecordVersion; readonly value: unknown }
  | { readonly kind: 'missing' }
  /** It is nothing that we have written, or not any more. */
  | { readonly kind: 'corrupt'; readonly reason: string };

/** A head that leads nowhere, or none at all: a save may have come between the listing and the opening. */
type DeadEnd = { readonly kind: 'dead-end'; readonly headName: string | null };

/** Reads the newest version of a record as JSON. Rejects where the system refuses: that says nothing about the record. */
export async function readRecord(directory: string, maxBytes: number): Promise<ReadRecord> {
  let previous: DeadEnd | null = null;
  for (;;) {
    const read = await readOnce(directory, maxBytes);
    if (read.kind !== 'dead-end') {
      return read;
    }
    // Another head than before means that somebody saved, so that looking again comes to an end.
    if (previous?.headName === read.headName) {
      return { kind: 'corrupt', reason: read.headName === null ? 'no version is named' : 'its contents are missing' };
    }
    previous = read;
  }
}

async function readOnce(directory: string, maxBytes: number): Promise<ReadRecord | DeadEnd> {
  const listing = await listRecord(directory);
  if (listing.kind === 'missing') {
    return listing;
  }
  if (listing.kind === 'not-a-directory') {
    return { kind: 'corrupt', reason: 'not a directory of its own' };
  }
  const { head, isGone } = listing;
  if (head === null) {
    return isGone ? { kind: 'missing' } : { kind: 'dead-end', headName: null };
  }
  const contents = await readContents(join(directory, contentName(head)), maxBytes);
  if (contents === null) {
    return { kind: 'dead-end', headName: headName(head) };
  }
  return 'reason' in contents ? { kind: 'corrupt', ...contents } : { kind: 'found', head, value: contents.value };
}
