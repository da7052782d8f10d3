import type { StepResult } from './step-result.ts';
import type { UndoReport, UndoRequest } from './undo.ts';
import type { WorkMode, Workspace } from './workspace.ts';

export type WorkspaceOptions = {
  /** Identifies the run in the journal: letters, digits, `-` and `_`, at most 64, never reused. */
  readonly runId: string;
  /** The owner of the run: other owners can neither see nor undo it. */
  readonly owner: string;
  /** Absolute, below one of `roots`. Relative paths are resolved from it, and commands run in it. */
  readonly workingDirectory: string;
  /** Absolute directories: nothing outside them is read or changed. */
  readonly roots: readonly string[];
  readonly mode: WorkMode;
  /** Whether commands have network access. */
  readonly network: boolean;
};

/** Whether a sandbox for commands is available. */
export type SandboxState =
  | { readonly available: true; readonly name: string }
  | {
      readonly available: false;
      readonly reason: 'missing' | 'blocked-by-apparmor' | 'blocked-by-seccomp' | 'unsupported-system' | 'broken';
      /** The result of the check, and what to do: sentences for a user. */
      readonly detail: string;
    };

/**
 * Works on the user's project: files, and commands inside a sandbox. Implementations must keep a journal that survives a kill at any moment, and an
 * undo that restores what the run changed, byte for byte and in reverse order, and refuses paths that have changed since.
 */
export interface Executor {
  /** Whether commands can run here. Checks once and remembers; checks again if the system had run out of a resource. Never rejects. */
  sandbox(signal: AbortSignal): Promise<SandboxState>;
  /** Opens a workspace for one run. Refuses a working directory that does not exist or lies outside the roots. */
  open(options: WorkspaceOptions, signal: AbortSignal): Promise<StepResult<Workspace>>;
  /** Undoes the changes of a run, even if it is still going on or belongs to another process. Never rejects. */
  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoReport>;
}
