import type { ApprovalRecord } from '../approvals/step-to-approve.ts';
import type { ServerTool } from '../hub/lent-name.ts';
import type { WorkMode } from '../ports/executor.ts';
import type { CommandEnd, RunChanges, StepRefusal } from '../ports/workspace-steps.ts';

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

/** What a step came to. */
export type StepOutcome =
  /** Its last part in a few words of ours, such as `exit 1` or `+3 -1`; empty where there is nothing to say. */
  | { readonly type: 'done'; readonly summary: string }
  | { readonly type: 'refused'; readonly refusal: Pick<StepRefusal, 'code' | 'message'> };

/** A step of a run as its user is told of it: when it begins where it may take long, and when it has ended. */
export type WorkStep = {
  /** From 1, in the order in which the steps began. */
  readonly number: number;
  readonly tool: string;
  /** What the step is about, such as a path or a command line: words of Gemini's, to be escaped where they are shown. */
  readonly subject: string;
  /** Null while it goes on. */
  readonly outcome: StepOutcome | null;
  /** So far. */
  readonly durationMs: number;
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
