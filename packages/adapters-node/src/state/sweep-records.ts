import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { discardRecord, retireRecord } from './discard-record.ts';
import { listRecord, type RecordListing } from './list-record.ts';
import { fenceRecord, removeSuperseded } from './publish-record.ts';
import { contentName, isDiscardedName, parseDraftName, type RecordVersion, seemsAlive } from './record-names.ts';

export type RecordSweep = {
  /** Holds a directory for each owner. */
  readonly directory: string;
  readonly isOwner: (name: string) => boolean;
  readonly isKey: (name: string) => boolean;
  readonly isExpired: (version: RecordVersion) => boolean;
  /** Told of each record that stays, and of the bytes of its newest version. */
  readonly onRecord: (record: SweptRecord) => void;
};

type SweptRecord = {
  /** The name of the owner's directory. */
  readonly owner: string;
  readonly key: string;
  readonly stampMs: number;
  readonly bytes: number;
};

/**
 * Removes records that are too old, and what writers left that were killed. What a living writer is about to publish is
 * not touched, nor is anything by a name that is not ours. What cannot be removed is left for the next time.
 */
export async function sweepRecords(sweep: RecordSweep): Promise<void> {
  for (const owner of (await readNames(sweep.directory)).filter(sweep.isOwner)) {
    const directory = join(sweep.directory, owner);
    for (const name of await readNames(directory)) {
      await sweepEntry(join(directory, name), name, sweep).catch(() => undefined);
      await tellOf(owner, name, sweep).catch(() => undefined);
    }
  }
}

async function tellOf(owner: string, key: string, { directory, isKey, onRecord }: RecordSweep): Promise<void> {
  const path = join(directory, owner, key);
  const listing = isKey(key) ? listRecord(path) : null;
  if (listing?.kind === 'record' && listing.head !== null) {
    const { size: bytes } = await lstat(join(path, contentName(listing.head)));
    onRecord({ owner, key, stampMs: listing.head.stampMs, bytes });
  }
}

/** The directories in one, links not among them. */
async function readNames(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

async function sweepEntry(path: string, name: string, { isKey, isExpired }: RecordSweep): Promise<void> {
  if (isDiscardedName(name)) {
    await rm(path, { recursive: true, force: true });
    return;
  }
  const draftTag = parseDraftName(name);
  if (draftTag !== null && !seemsAlive(draftTag)) {
    await discardRecord(path);
    return;
  }
  const listing = isKey(name) ? listRecord(path) : null;
  if (listing?.kind === 'record') {
    await tidyRecord(path, listing, isExpired);
  }
}

async function tidyRecord(
  directory: string,
  { head, contents, isGone }: RecordListing,
  isExpired: RecordSweep['isExpired'],
): Promise<void> {
  if (head === null) {
    await (isGone ? discardRecord(directory) : undefined);
    return;
  }
  if (isExpired(head)) {
    await retireRecord(directory, head);
    return;
  }
  const unpublished = contents.filter((content) => content.version > head.version);
  if (unpublished.length > 0 && unpublished.every((content) => !seemsAlive(content.tag))) {
    await fenceRecord(directory, head, new AbortController().signal);
    return;
  }
  if (contents.length > 1) {
    await removeSuperseded(directory);
  }
}
