import type { ApprovalRecord } from '../approvals/step-to-approve.ts';
import type { WorkStep } from '../ports/run-step.ts';
import type { ServerTool } from '../ports/upstreams/upstream-servers.ts';
import type { CommandEnd } from '../ports/workspace/command-steps.ts';
import type { StepRefusal } from '../ports/workspace/step-result.ts';
import type { RunChanges } from '../ports/workspace/undo.ts';
import type { WorkMode } from '../ports/workspace/workspace.ts';

/** The first of many, and how many there are. */
export type Counted<Entry> = { readonly first: readonly Entry[]; readonly count: number };

/** What a run with tools did, whether it came to an answer or not. */
export type WorkAccount = {
  /** By which the run is undone. */
  readonly runId: string;
  readonly mode: WorkMode;
  readonly durationMs: number;
  readonly steps: number;
  /** An estimate. */
  readonly tokens: number;
  /** Null where they could not be found out. */
  readonly changes: RunChanges | null;
  readonly commands: Counted<RanCommand>;
  /** Of tools of other servers. */
  readonly calls: Counted<CalledTool>;
  readonly refusals: Counted<RefusedStep>;
  /** To its user, and approvals for good that were used. */
  readonly questions: readonly ApprovalRecord[];
  /** Which part of its budget the run has used up, in a sentence; null where it has not. */
  readonly overBudget: string | null;
  /** What a reader should know besides, such as why there were no commands: sentences. */
  readonly notes: readonly string[];
};

/** A command that a run has started. */
export type RanCommand = {
  /** As Gemini wrote it. */
  readonly command: string;
  /** Null where it was still running when the account was made. */
  readonly end: CommandEnd | null;
  readonly durationMs: number;
};

/** A call of a tool of another server that was made. */
export type CalledTool = ServerTool & {
  /** Its arguments, as JSON that may be cut: words of Gemini's. */
  readonly subject: string;
  /** What was wrong with it, in a few words of ours; empty where nothing was. */
  readonly summary: string;
  readonly durationMs: number;
};

/** A step that was not carried out. */
export type RefusedStep = Pick<WorkStep, 'number' | 'tool' | 'subject'> & Pick<StepRefusal, 'code' | 'message'>;
