import type { ApprovalRecord } from '../approvals/step-to-approve.ts';
import type { WorkStep } from '../ports/run-step.ts';
import type { ServerTool } from '../ports/upstreams/upstream-servers.ts';
import type { CommandEnd } from '../ports/workspace/command-steps.ts';
import type { StepRefusal } from '../ports/workspace/step-result.ts';
import type { RunChanges } from '../ports/workspace/undo.ts';
import type { WorkMode } from '../ports/workspace/workspace.ts';

/** The first of many entries, and their number. */
export type Counted<Entry> = { readonly first: readonly Entry[]; readonly count: number };

/** What a run with tools did, whether it ended in an answer or not. */
export type WorkAccount = {
  /** The id for undoing the run. */
  readonly runId: string;
  readonly mode: WorkMode;
  readonly durationMs: number;
  readonly steps: number;
  /** An estimate. */
  readonly tokens: number;
  /** Null if the changes could not be determined. */
  readonly changes: RunChanges | null;
  readonly commands: Counted<RanCommand>;
  /** Calls of upstream tools. */
  readonly calls: Counted<CalledTool>;
  readonly refusals: Counted<RefusedStep>;
  /** Questions to the user, and lasting approvals that were used. */
  readonly questions: readonly ApprovalRecord[];
  /** The limit that the run has reached, in a sentence; null if the budget lasts. */
  readonly overBudget: string | null;
  /** Other facts for a reader, such as why there were no commands: sentences. */
  readonly notes: readonly string[];
};

/** A command that a run has started. */
export type RanCommand = {
  /** As Gemini wrote it. */
  readonly command: string;
  /** Null if it was still running when the account was made. */
  readonly end: CommandEnd | null;
  readonly durationMs: number;
};

/** A call of an upstream tool. */
export type CalledTool = ServerTool & {
  /** Its arguments, as JSON that may be cut. Untrusted: Gemini wrote them. */
  readonly subject: string;
  /** The error, as a short phrase of our own; empty if it succeeded. */
  readonly summary: string;
  readonly durationMs: number;
};

/** A step that was refused. */
export type RefusedStep = Pick<WorkStep, 'number' | 'tool' | 'subject'> & Pick<StepRefusal, 'code' | 'message'>;
