import type { ApprovalRecord } from '../approvals/step-to-approve.ts';
import type { WorkMode } from '../ports/executor.ts';
import type { RunChanges } from '../ports/workspace-steps.ts';
import type { CalledTool, RanCommand, RefusedStep } from './work-step.ts';

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
