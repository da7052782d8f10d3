import { randomInt } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contentName, createTag, draftName, headName, type RecordVersion } from '../disk/durable/record-names.ts';
import { syncDirectory } from '../disk/durable/sync-directory.ts';
import { isMissing } from '../processes/error-code.ts';
import { listRecord } from './list-record.ts';

export type Publication = {
  /** The record's own directory. */
  readonly directory: string;
  /** 0 for a record that must not exist yet. */
  readonly expectedVersion: number;
  readonly stampMs: number;
  readonly text: string;
};

/**
 * Makes `text` the newest version of a record if the expected version is still the newest. Resolves to the new version, or to null if it
 * was not. Rejects if the system refuses, or with the signal's reason; then the record is unchanged.
 */
export async function publishRecord(publication: Publication, signal: AbortSignal): Promise<number | null> {
  return publication.expectedVersion === 0 ? create(publication, signal) : replace(publication, signal);
}

/** Leaves room to count within the 15 digits of a version in a name. */
const maxFirstVersion = 2 ** 47;

/**
 * A directory cannot be renamed over a non-empty one, so only one creator of a record succeeds. Versions start at a random number: a record
 * that was deleted and recreated has no version that somebody still holds from the old one.
 */
async function create({ directory, stampMs, text }: Publication, signal: AbortSignal): Promise<number | null> {
  if (await exists(directory)) {
    return null;
  }
  const first: RecordVersion = { version: randomInt(1, maxFirstVersion), stampMs, tag: createTag() };
  const parent = dirname(directory);
  const draft = join(parent, draftName(first.tag));
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeWhole(join(draft, contentName(first)), text);
    await writeWhole(join(draft, headName(first)), '');
    await syncDirectory(draft);
    signal.throwIfAborted();
    await rename(draft, directory);
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    if (!signal.aborted && (await exists(directory))) {
      return null;
    }
    throw error;
  }
  await syncDirectory(parent).catch(() => undefined);
  return first.version;
}

async function replace(publication: Publication, signal: AbortSignal): Promise<number | null> {
  const { directory, expectedVersion, stampMs, text } = publication;
  const listing = listRecord(directory);
  if (listing.kind !== 'record' || listing.head?.version !== expectedVersion) {
    return null;
  }
  const next: RecordVersion = { version: expectedVersion + 1, stampMs, tag: createTag() };
  const place = (path: string): Promise<void> => writeWhole(path, text);
  const moved = await moveHead({ directory, head: listing.head, next, place }, signal);
  if (!moved) {
    return null;
  }
  await removeSuperseded(directory).catch(() => undefined);
  return next.version;
}

/**
 * Publishes the newest version again under a new version number: whatever a stalled writer was about to publish becomes a conflict, should
 * the writer wake up.
 */
export async function fenceRecord(directory: string, head: RecordVersion, signal: AbortSignal): Promise<void> {
  const next: RecordVersion = { ...head, version: head.version + 1, tag: createTag() };
  const place = (path: string): Promise<void> => link(join(directory, contentName(head)), path);
  if (await moveHead({ directory, head, next, place }, signal)) {
    await removeSuperseded(directory);
  }
}

/** Removes contents that are older than the newest version, or came too late to become it. */
export async function removeSuperseded(directory: string): Promise<void> {
  const listing = listRecord(directory);
  if (listing.kind !== 'record' || listing.head === null) {
    return;
  }
  const { version, tag } = listing.head;
  const superseded = listing.contents.filter((content) => content.version <= version && content.tag !== tag);
  await Promise.all(superseded.map(({ name }) => unlink(join(directory, name)).catch(() => undefined)));
}

type HeadMove = {
  readonly directory: string;
  readonly head: RecordVersion;
  readonly next: RecordVersion;
  /** Puts the complete contents of the next version at a path. */
  readonly place: (path: string) => Promise<void>;
};

/** The rename compares and sets in one step: of several writers that rename a head, one succeeds. */
async function moveHead({ directory, head, next, place }: HeadMove, signal: AbortSignal): Promise<boolean> {
  const contents = join(directory, contentName(next));
  try {
    await place(contents);
    // The contents must be on the disk before the name that points to them.
    await syncDirectory(directory);
    signal.throwIfAborted();
    await rename(join(directory, headName(head)), join(directory, headName(next)));
  } catch (error) {
    await unlink(contents).catch(() => undefined);
    if (!signal.aborted && isMissing(error)) {
      return false;
    }
    throw error;
  }
  // It is published, even if the disk has not confirmed it.
  await syncDirectory(directory).catch(() => undefined);
  return true;
}

const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

async function writeWhole(path: string, text: string): Promise<void> {
  const file = await open(path, writeFlags, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
