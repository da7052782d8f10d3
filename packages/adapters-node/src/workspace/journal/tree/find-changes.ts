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
  /** Changes to existing files. */
  readonly changes: readonly FoundChange[];
  /** New files, up to the number that one command may create and have undone. */
  readonly created: readonly FoundChange[];
  /** Further new files. */
  readonly beyond: readonly string[];
  /** Places that can no longer be inspected, each with the reason in words that end a sentence. */
  readonly hidden: ReadonlyMap<string, string>;
};

/** Finds differences from the baseline that no tool made. Never rejects: an unreadable place does not hide others. */
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
  // If the earlier look was incomplete, a newly seen file may have existed before, so undo must not remove it.
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

/** Nothing exists below a directory that a link or a file has replaced. */
async function lookThere(path: string, roots: RealRoots): Promise<FileState> {
  const reached = await openParent(path, roots, statEntry);
  return reached.reached ? reached.value.state : absent;
}
