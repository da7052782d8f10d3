import type { ServerTool } from '../hub/lent-name.ts';
import type { CommandEnd, StepRefusal } from '../ports/workspace-steps.ts';

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
