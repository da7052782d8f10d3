import type { RealRoots } from '../../../disk/real-roots.ts';
import { describeSystemError } from '../describe-system-error.ts';
import { absent, type FileState, isSameState } from '../file-state.ts';
import { openParent } from '../open-parent.ts';
import type { FoundChange } from '../run-journal.ts';
import { statEntry } from '../stat-entry.ts';
import type { TreeScan } from './scan-tree.ts';
import type { TreeBaseline } from './tree-baseline.ts';

export type Comparison = {
  readonly baseline: TreeBaseline;
  readonly scan: TreeScan;
  readonly roots: RealRoots;
  readonly madeByTools: ReadonlyMap<string, FileState>;
  readonly maxCreated: number;
};

export type FoundChanges = {
  /** Of what was there before. */
  readonly changes: readonly FoundChange[];
  /** Of what is new, as much as one command may make and have undone. */
  readonly created: readonly FoundChange[];
  /** What is new besides. */
  readonly beyond: readonly string[];
  /** What cannot be looked at any more, with why not in words that end a sentence. */
  readonly hidden: ReadonlyMap<string, string>;
};

/** What differs from the baseline and was not left so by a tool. Never rejects: a place that cannot be looked at hides no other. */
export async function findChanges(comparison: Comparison): Promise<FoundChanges> {
  const { baseline, scan, maxCreated } = comparison;
  const known = baseline.scan?.places ?? new Map();
  const hidden = new Map<string, string>();
  const find = async (path: string): Promise<readonly FoundChange[]> => {
    try {
      const change = await findChange(path, comparison);
      return change === null ? [] : [change];
    } catch (error) {
      hidden.set(path, describeSystemError(error));
      return [];
    }
  };
  const changes: FoundChange[] = [];
  for (const path of known.keys()) {
    changes.push(...(baseline.isAsBefore(path, scan.places.get(path)) ? [] : await find(path)));
  }
  const paths = [...scan.places.keys()].filter((path) => !known.has(path));
  // Where not everything was looked at before, what is seen for the first time may have been there: undo must not remove it.
  const count = baseline.scan?.obstacle == null ? maxCreated : 0;
  const created: FoundChange[] = [];
  for (const path of paths.slice(0, count)) {
    created.push(...(await find(path)));
  }
  return { changes, created, beyond: paths.slice(count), hidden };
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
async function lookThere(path: string, roots: RealRoots): Promise<FileState> {
  const reached = await openParent(path, roots, statEntry);
  return reached.reached ? reached.value.state : absent;
}
