import type { RealRoots } from '../../files/real-roots.ts';
import { lookAtPlace } from './look-at-place.ts';
import { absent, isSameState, type PlaceState } from './place-state.ts';
import { reachPlace } from './reach-place.ts';
import type { FoundChange } from './run-journal.ts';
import type { TreeScan } from './scan-tree.ts';
import type { TreeBaseline } from './tree-baseline.ts';

export type Comparison = {
  readonly baseline: TreeBaseline;
  /** Null where there is too much by now: then only what was there before is looked at. */
  readonly scan: TreeScan | null;
  readonly roots: RealRoots;
  readonly madeByTools: ReadonlyMap<string, PlaceState>;
};

/** One command that changes more than this is a command that moves a tree. */
const maxChanges = 10_000;

/** What differs from the baseline and was not left so by a tool. Rejects where the system refuses. */
export async function findChanges(
  comparison: Comparison,
): Promise<{ readonly changes: readonly FoundChange[]; readonly isCut: boolean }> {
  const { baseline, scan } = comparison;
  const changes: FoundChange[] = [];
  // What was there before comes first: it is worth more than what is new, where not all of it can be told.
  const paths = new Set([...(baseline.scan?.places.keys() ?? []), ...(scan?.places.keys() ?? [])]);
  for (const path of paths) {
    if (scan !== null && baseline.isAsBefore(path, scan.places.get(path))) {
      continue;
    }
    const change = await findChange(path, comparison);
    changes.push(...(change === null ? [] : [change]));
    if (changes.length >= maxChanges) {
      return { changes, isCut: true };
    }
  }
  return { changes, isCut: false };
}

async function findChange(path: string, { baseline, roots, madeByTools }: Comparison): Promise<FoundChange | null> {
  const after = await lookThere(path, roots);
  const byTool = madeByTools.get(path);
  if (byTool !== undefined) {
    return isSameState(byTool, after) ? null : { path, before: byTool, after, copy: null };
  }
  const before = await baseline.stateAt(path);
  return isSameState(before, after) ? null : { path, before, after, copy: baseline.copyOf(path) };
}

/** Below a directory that a link or a file has taken the place of, nothing is any more. */
async function lookThere(path: string, roots: RealRoots): Promise<PlaceState> {
  const reached = await reachPlace(path, roots, lookAtPlace);
  return reached.reached ? reached.value.state : absent;
}
