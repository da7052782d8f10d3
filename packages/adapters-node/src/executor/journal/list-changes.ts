import type { FileChange } from '@gemini-mcp/core';
import type { RealRoots } from '../../files/real-roots.ts';
import { isSensitivePath } from '../../files/sensitive-names.ts';
import { type DescribedChange, describeChange, isNoFile, withoutFullDirectories } from './describe-change.ts';
import { displayPathOf } from './display-path-of.ts';
import type { KeptContents } from './kept-contents.ts';
import { lookAtPlace } from './look-at-place.ts';
import { absent, type PlaceState } from './place-state.ts';
import { reachPlace, readPlace } from './reach-place.ts';
import type { PathAccount, RunAccount } from './run-account.ts';

export type ChangesToList = {
  readonly account: RunAccount;
  readonly contents: KeptContents;
  readonly roots: RealRoots;
  readonly workingDirectory: string;
};

/** Contents that are read for the diffs of one list: beyond, changes are told without. */
const maxReadBytes = 67_108_864;

/** How the paths that a run changed differ now from what they were before it, by path. Never rejects; after an abort it is cut short. */
export async function listChanges(run: ChangesToList, signal: AbortSignal): Promise<readonly FileChange[]> {
  const changes: DescribedChange[] = [];
  let readBytes = 0;
  for (const one of run.account.paths) {
    if (signal.aborted) {
      break;
    }
    const now = await lookThere(one, run.roots);
    readBytes += sizeOf(one.first) + sizeOf(now);
    const isShown = readBytes <= maxReadBytes && !isSensitivePath(one.path);
    const change = await describeChange({
      path: displayPathOf(one.path, run.workingDirectory),
      before: one.first,
      after: now,
      readBefore: async () => (isShown ? readKept(one, run.contents) : null),
      readAfter: async () => (isShown ? readPlace(one.path, run.roots, sizeOf(now)) : null),
    });
    const isOfDirectory = isNoFile(one.first) && isNoFile(now);
    changes.push(...(change === null ? [] : [{ change, isOfDirectory }]));
  }
  return withoutFullDirectories(changes);
}

/** What cannot be reached is as the run left it, as far as anybody knows. */
async function lookThere({ path, last }: PathAccount, roots: RealRoots): Promise<PlaceState> {
  const reached = await reachPlace(path, roots, lookAtPlace).catch(() => null);
  if (reached?.reached === true) {
    return reached.value.state;
  }
  return reached?.isMissing === true ? absent : last;
}

async function readKept({ first }: PathAccount, contents: KeptContents): Promise<Uint8Array | null> {
  return first.kind === 'file' && first.hash !== null ? contents.read(first.hash).catch(() => null) : null;
}

function sizeOf(state: PlaceState): number {
  return state.kind === 'file' ? state.sizeBytes : 0;
}
