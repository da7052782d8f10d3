import type { FileChange } from './file-steps.ts';

/** What commands changed that undo does not put back: in what Git ignores, packages, caches and repositories, or because it was too much. */
export type UnsavedChanges = {
  readonly count: number;
  /** By path, 100 at most: a file, or a directory in which `count` files and directories changed. */
  readonly first: readonly { readonly path: string; readonly count: number }[];
  /** For each program that runs scripts (`scriptKindOf`), one changed file that names them, packages aside. */
  readonly scripts: readonly string[];
};

/** Whether what commands change can be undone. */
export type UndoCoverage =
  | { readonly commands: true }
  /** `reason` says why only the changes of our own tools can be: a sentence. */
  | { readonly commands: false; readonly reason: string };

/** Everything that a run has changed, by path. */
export type RunChanges = {
  readonly files: readonly FileChange[];
  readonly coverage: UndoCoverage;
  /** What undo does not put back; null for nothing. */
  readonly unkept: UnsavedChanges | null;
};

export type UndoRequest = {
  readonly runId: string;
  readonly owner: string;
  /** As in `FileChange`; all that the run changed when it is missing. */
  readonly paths?: readonly string[];
};

/** What became of a path when a run was undone. */
export type UndonePath = {
  readonly path: string;
  readonly outcome: 'restored' | 'removed' | 'already-as-before' | 'refused';
  /** Why it was refused, or what could not be put back of it, in a sentence; empty otherwise. */
  readonly reason: string;
};

export type UndoReport =
  | { readonly found: true; readonly paths: readonly UndonePath[] }
  /** The owner has no such run, or its journal is gone. */
  | { readonly found: false };
