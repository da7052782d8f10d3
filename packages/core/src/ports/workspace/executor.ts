import type { StepResult } from './step-result.ts';
import type { UndoReport, UndoRequest } from './undo.ts';
import type { WorkMode, Workspace } from './workspace.ts';

export type WorkspaceOptions = {
  /** Names the run in the journal: of letters, digits, `-` and `_`, 64 at most, never used before. */
  readonly runId: string;
  /** Whose the run is: other owners can neither see nor undo it. */
  readonly owner: string;
  /** Absolute. Relative paths are resolved from it, and commands run in it. It lies below a root of `roots`. */
  readonly workingDirectory: string;
  /** Absolute paths of directories: nothing outside is read or changed. */
  readonly roots: readonly string[];
  readonly mode: WorkMode;
  /** Whether commands reach the network. */
  readonly network: boolean;
};

/** Whether commands can be walled in here. */
export type SandboxState =
  | { readonly available: true; readonly name: string }
  | {
      readonly available: false;
      readonly reason: 'missing' | 'blocked-by-apparmor' | 'blocked-by-seccomp' | 'unsupported-system' | 'broken';
      /** What was found, and what to do: sentences for a user. */
      readonly detail: string;
    };

/**
 * Works on the user's project: files, and commands inside a sandbox. An implementer owes a journal that survives a kill at any moment, and an
 * undo that puts back what the run left as it was before, byte for byte, in reverse order, and that refuses a path that was changed since.
 */
export interface Executor {
  /** Looks once, and remembers: whether commands can run here. Looks again where the system had run out of something. Never rejects. */
  sandbox(signal: AbortSignal): Promise<SandboxState>;
  /** Opens a workspace for one run. A working directory that is not there, or lies outside the roots, is a refusal. */
  open(options: WorkspaceOptions, signal: AbortSignal): Promise<StepResult<Workspace>>;
  /** Puts back what a run changed, whether the run is over or not even of this process. Never rejects. */
  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoReport>;
}
