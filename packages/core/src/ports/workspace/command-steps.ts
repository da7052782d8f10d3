import type { CommandPlan } from './command-plan.ts';
import type { ChangeConsent, FileChange } from './file-steps.ts';
import type { CommandRisk } from './step-result.ts';
import type { UnsavedChanges } from './undo.ts';

export type CommandRequest = {
  /** The parsed command line: exactly this runs. */
  readonly plan: CommandPlan;
  /** Time limit of the command, in milliseconds. */
  readonly timeoutMs: number;
  /** How long to wait for the end, in milliseconds. After that the command goes on, and its report has a handle. */
  readonly waitMs: number;
  /** Consents for files that the command's redirections write and that need approval. */
  readonly consents?: readonly ChangeConsent[];
  /** The risks that the user accepted; empty if missing. */
  readonly accepts?: readonly CommandRisk[];
  /**
   * Whether the user, and not just a rule, allowed this very command. Then it may change installed programs (`node_modules/.bin`) and create
   * repositories. False if missing.
   */
  readonly isAllowedByUser?: boolean;
};

/** How a command ended. */
export type CommandEnd =
  /** The command exited; a program killed by a signal counts as 128 plus the signal's number. */
  | { readonly type: 'exited'; readonly exitCode: number }
  /** The command was stopped: over its time, memory or output limit, or aborted. `detail` names the limit. */
  | {
      readonly type: 'stopped';
      readonly reason: 'timeout' | 'memory' | 'output' | 'cancelled';
      readonly detail: string;
    };

export type CommandReport = {
  /** The handle to poll with; null once the command has ended. */
  readonly handle: string | null;
  /** Null while it runs. */
  readonly end: CommandEnd | null;
  /**
   * Standard output and standard error since the last report, as they came, decoded from UTF-8 with replacements. Beyond 40,000 characters: the
   * beginning and the end, with a line between that says how much is missing.
   */
  readonly output: string;
  /** Total bytes printed so far. */
  readonly outputBytes: number;
  /** Since its start. */
  readonly durationMs: number;
  /** The files it changed, once it has ended; empty if changes are not watched (`UndoCoverage`). */
  readonly changes: readonly FileChange[];
  /** Other changes that undo does not cover, once it has ended. Nothing if missing. */
  readonly unkept?: UnsavedChanges;
  /** Sentences about the changes, for a reader. Empty if missing. */
  readonly notes?: readonly string[];
};
