import { type Dirent, opendirSync, readdirSync } from 'node:fs';
import { pathOfDescriptor } from '../descriptor-paths.ts';
import type { HeldDirectory } from '../held-directory.ts';
import { closeDescriptor, type DescriptorProof, type Opened, openVerified } from '../open-verified.ts';
import type { RealRoots } from '../real-roots.ts';
import { type Refusal, toRefusal } from '../refusal.ts';
import type { TimeSlices } from '../time-slices.ts';

export type DirectoryEntry = {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
};

export type ListRequest = {
  readonly path: string;
  readonly roots: Pick<RealRoots, 'contains'>;
  readonly proof: DescriptorProof;
  /** Whether the path of the directory itself may end in a link. */
  readonly followsLink: boolean;
  /** Reading stops at the first entry above this limit. */
  readonly maxEntries: number;
  /** As for `openVerified`. */
  readonly base?: HeldDirectory | undefined;
};

export type DirectoryListing = {
  readonly ok: true;
  readonly realPath: string;
  /** In the order that sorting the whole paths below them would give. */
  readonly entries: readonly DirectoryEntry[];
  readonly isComplete: boolean;
};

/** Lists a directory that lies below a root: the listed directory is the verified one. Rejects on abort. */
export async function listDirectory(request: ListRequest, slices: TimeSlices): Promise<DirectoryListing | Refusal> {
  const opened = openVerified({ ...request, kind: 'directory' });
  if (!opened.ok) {
    return opened;
  }
  try {
    const entries = await readEntries(request, opened, slices);
    if (!('length' in entries)) {
      return entries;
    }
    return hasMoved(request, opened)
      ? { ok: false, reason: 'unreadable', detail: 'moved while it was being listed' }
      : {
          ok: true,
          realPath: opened.realPath,
          entries: entries.slice(0, request.maxEntries).sort(byPathOrder),
          isComplete: entries.length <= request.maxEntries,
        };
  } finally {
    closeDescriptor(opened.descriptor);
  }
}

async function readEntries(
  { proof, maxEntries }: ListRequest,
  { descriptor, realPath, stats }: Opened,
  slices: TimeSlices,
): Promise<DirectoryEntry[] | Refusal> {
  const entries: DirectoryEntry[] = [];
  const path = proof === 'kernel-link' ? pathOfDescriptor(descriptor) : realPath;
  try {
    for (const entry of readDirectory(path, stats.size)) {
      entries.push({ name: entry.name, kind: kindOf(entry) });
      if (entries.length > maxEntries) {
        break;
      }
      if (slices.isUsedUp) {
        await slices.next();
      }
    }
    return entries;
  } catch (error) {
    slices.throwIfAborted();
    return toRefusal(error);
  }
}

/** The size that ext4 needs for some thousand names: below it, reading all of them at once saves most of the time. */
const smallDirectoryBytes = 65_536;

function* readDirectory(path: string, sizeBytes: number): Generator<Dirent> {
  if (sizeBytes <= smallDirectoryBytes) {
    yield* readdirSync(path, { withFileTypes: true });
    return;
  }
  const directory = opendirSync(path, { bufferSize: 512 });
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      yield entry;
    }
  } finally {
    directory.closeSync();
  }
}

/** Without a link from the kernel the names were read by path: check that it still leads to the verified directory. */
function hasMoved(request: ListRequest, { realPath, stats }: Opened): boolean {
  if (request.proof === 'kernel-link') {
    return false;
  }
  const again = openVerified({ ...request, path: realPath, kind: 'directory', followsLink: false });
  if (!again.ok) {
    return true;
  }
  closeDescriptor(again.descriptor);
  return again.stats.ino !== stats.ino || again.stats.dev !== stats.dev;
}

function kindOf(entry: Dirent): DirectoryEntry['kind'] {
  if (entry.isFile()) {
    return 'file';
  }
  if (entry.isDirectory()) {
    return 'directory';
  }
  return entry.isSymbolicLink() ? 'link' : 'other';
}

/** `a-b` sorts before the contents of `a`, because `-` sorts before `/`. */
function byPathOrder(one: DirectoryEntry, other: DirectoryEntry): number {
  const left = pathKey(one);
  const right = pathKey(other);
  if (left === right) {
    return 0;
  }
  return left < right ? -1 : 1;
}

function pathKey({ name, kind }: DirectoryEntry): string {
  return kind === 'directory' ? `${name}/` : name;
}
