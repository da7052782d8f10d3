import type { FileChange } from '@gemini-mcp/core';
import type { RealRoots } from '../../files/real-roots.ts';
import { isSensitivePath } from '../../files/sensitive-names.ts';
import { type DescribedChange, describeChange, isNoFile, withoutFullDirectories } from './describe-change.ts';
import { displayPathOf } from './display-path-of.ts';
import type { KeptContents } from './kept-contents.ts';
import type { PlaceState } from './place-state.ts';
import { readPlace, readSized } from './reach-place.ts';
import type { FoundChange } from './run-journal.ts';

export type FoundPlaces = {
  readonly roots: RealRoots;
  readonly workingDirectory: string;
  readonly contents: KeptContents;
};

/** Contents that are read for the diffs of one command: beyond, changes are told without. */
const maxReadBytes = 16_777_216;

/** What a command changed, for a reader, by path. Never rejects. */
export async function describeFound(
  found: readonly FoundChange[],
  { roots, workingDirectory, contents }: FoundPlaces,
): Promise<readonly FileChange[]> {
  const changes: DescribedChange[] = [];
  let readBytes = 0;
  for (const { path, before, after, copy } of found) {
    readBytes += sizeOf(before) + sizeOf(after);
    const isShown = readBytes <= maxReadBytes && !isSensitivePath(path);
    const change = await describeChange({
      path: displayPathOf(path, workingDirectory),
      before,
      after,
      readBefore: async () => (isShown ? readBefore(before, copy, contents) : null),
      readAfter: async () => (isShown ? readPlace(path, roots, sizeOf(after)) : null),
    });
    const isOfDirectory = isNoFile(before) && isNoFile(after);
    changes.push(...(change === null ? [] : [{ change, isOfDirectory }]));
  }
  return withoutFullDirectories(changes);
}

/** The journal has taken over the copy of what was changed for the first time. */
async function readBefore(before: PlaceState, copy: string | null, contents: KeptContents): Promise<Uint8Array | null> {
  const copied = copy === null ? null : await readSized(copy, sizeOf(before)).catch(() => null);
  const hash = before.kind === 'file' ? before.hash : null;
  return copied ?? (hash === null ? null : contents.read(hash).catch(() => null));
}

function sizeOf(state: PlaceState): number {
  return state.kind === 'file' ? state.sizeBytes : 0;
}
