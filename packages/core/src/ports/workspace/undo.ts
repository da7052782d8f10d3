import type { FileChange } from './file-steps.ts';

/** Changes of commands that undo does not restore: in files that Git ignores, packages, caches and repositories, or because there were too many. */
export type UnsavedChanges = {
  readonly count: number;
  /** By path, at most 100: a file, or a directory in which `count` files and directories changed. */
  readonly first: readonly { readonly path: string; readonly count: number }[];
  /** For each program that runs scripts (`scriptKindOf`), one changed file that names scripts, except in packages. */
  readonly scripts: readonly string[];
};

/** Whether the changes of commands can be undone. */
export type UndoCoverage =
  | { readonly commands: true }
  /** `reason` says why only the changes of our own tools can be undone: a sentence. */
  | { readonly commands: false; readonly reason: string };

/** Everything that a run has changed, by path. */
export type RunChanges = {
  readonly files: readonly FileChange[];
  readonly coverage: UndoCoverage;
  /** Changes that undo does not restore; null if it restores all. */
  readonly unkept: UnsavedChanges | null;
};

export type UndoRequest = {
  readonly runId: string;
  readonly owner: string;
  /** As in `FileChange`; all paths that the run changed if missing. */
  readonly paths?: readonly string[];
};

/** The outcome of undoing one path. */
export type UndonePath = {
  readonly path: string;
  readonly outcome: 'restored' | 'removed' | 'already-as-before' | 'refused';
  /** Why it was refused, or what could not be restored, in a sentence; empty otherwise. */
  readonly reason: string;
};

export type UndoReport =
  | { readonly found: true; readonly paths: readonly UndonePath[] }
  /** The owner has no such run, or its journal was deleted. */
  | { readonly found: false };
