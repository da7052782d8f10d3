import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { listRecord } from './list-record.ts';
import { isOwnerDirectoryName, ownerDirectoryName } from './owner-directory.ts';
import { readContents } from './read-contents.ts';
import { contentName } from './record-names.ts';

export type OwnerSearch = {
  /** Holds a directory for each owner. */
  readonly directory: string;
  readonly isKey: (name: string) => boolean;
  readonly maxBytes: number;
};

const ownedSchema = z.object({ value: z.object({ owner: z.string() }) });

/**
 * The owners that have a record, as the records name them: the directories alone do not tell. One record of each is read, and
 * another where the first one names somebody else than its directory belongs to.
 */
export async function listOwners(search: OwnerSearch, signal: AbortSignal): Promise<readonly string[]> {
  const owners: string[] = [];
  for (const name of (await readdir(search.directory)).filter(isOwnerDirectoryName)) {
    const owner = await ownerIn(name, search, signal).catch(() => null);
    signal.throwIfAborted();
    owners.push(...(owner === null ? [] : [owner]));
  }
  return owners;
}

async function ownerIn(name: string, search: OwnerSearch, signal: AbortSignal): Promise<string | null> {
  const directory = join(search.directory, name);
  for (const key of (await readdir(directory)).filter(search.isKey)) {
    signal.throwIfAborted();
    const owner = await ownerOf(join(directory, key), search.maxBytes);
    if (owner !== null && ownerDirectoryName(owner) === name) {
      return owner;
    }
  }
  return null;
}

async function ownerOf(record: string, maxBytes: number): Promise<string | null> {
  const listing = await listRecord(record);
  if (listing.kind !== 'record' || listing.head === null) {
    return null;
  }
  const contents = await readContents(join(record, contentName(listing.head)), maxBytes);
  const { data } = ownedSchema.safeParse(contents !== null && 'value' in contents ? contents.value : null);
  return data?.value.owner ?? null;
}
