import type { CommandPlan } from './command-plan.ts';
import type { ChangeConsent, FileChange } from './file-steps.ts';
import type { CommandRisk } from './step-result.ts';
import type { UnsavedChanges } from './undo.ts';

export type CommandRequest = {
  /** What was read out of the command line: it runs, and nothing else. */
  readonly plan: CommandPlan;
  /** The longest that it may run, in milliseconds. */
  readonly timeoutMs: number;
  /** How long to wait for its end, in milliseconds. Then it goes on, and its report has a handle. */
  readonly waitMs: number;
  /** For each file that the command's redirections write and that is asked about. */
  readonly consents?: readonly ChangeConsent[];
  /** What the user has accepted; none when it is missing. */
  readonly accepts?: readonly CommandRisk[];
  /**
   * Whether the user, not a rule alone, allowed this very command: then it may change installed programs (`node_modules/.bin`) and make
   * repositories. No when it is missing.
   */
  readonly isAllowedByUser?: boolean;
};

/** How a command ended. */
export type CommandEnd =
  /** By itself; 128 plus the number of the signal where a program was killed. */
  | { readonly type: 'exited'; readonly exitCode: number }
  /** By us: too long, too much memory, too much output, an abort. `detail` says which limit. */
  | {
      readonly type: 'stopped';
      readonly reason: 'timeout' | 'memory' | 'output' | 'cancelled';
      readonly detail: string;
    };

export type CommandReport = {
  /** The handle to poll with; null when it has ended. */
  readonly handle: string | null;
  /** Null while it runs. */
  readonly end: CommandEnd | null;
  /**
   * What it printed since the last report, output and errors as they came, decoded from UTF-8 with replacements; beyond 40,000 characters
   * the beginning and the end of it, with a line between that says how much is missing.
   */
  readonly output: string;
  /** How many bytes it has printed in all. */
  readonly outputBytes: number;
  /** Since its start. */
  readonly durationMs: number;
  /** What it changed in files, once it has ended; empty where that is not watched (`UndoCoverage`). */
  readonly changes: readonly FileChange[];
  /** What it changed besides, once it has ended. Nothing when it is missing. */
  readonly unkept?: UnsavedChanges;
  /** What a reader should know of what it changed: sentences. None when it is missing. */
  readonly notes?: readonly string[];
};
