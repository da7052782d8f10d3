import type { ServerTool } from './upstreams/upstream-servers.ts';
import type { StepRefusal } from './workspace/step-result.ts';

/** The outcome of a step. */
export type StepOutcome =
  /** A few words of our own, such as `exit 1` or `+3 -1`, that end its line; empty if there is nothing to add. */
  | { readonly type: 'done'; readonly summary: string }
  | { readonly type: 'refused'; readonly refusal: Pick<StepRefusal, 'code' | 'message'> };

/** A step that Gemini wants to take. */
export type StepToTake = {
  readonly tool: string;
  readonly subject: string;
  /** Whether it may change something. */
  readonly changes: boolean;
  /** Whether to report the step when it begins. */
  readonly takesLong: boolean;
  /** Size of the contents that it writes. */
  readonly writtenBytes: number;
  /** The upstream tool that it calls; missing for other steps. */
  readonly server?: ServerTool;
};

/** A step that has begun. */
export type OpenStep = {
  /** Ends the step. Call it once. */
  readonly end: (outcome: StepOutcome) => void;
};

/** A step as the user sees it: reported when it begins if it may take long, and when it has ended. */
export type WorkStep = {
  /** Counted from 1, in the order in which the steps began. */
  readonly number: number;
  readonly tool: string;
  /** The subject of the step, such as a path or a command line. Gemini wrote it: escape it when you show it. */
  readonly subject: string;
  /** Null while it runs. */
  readonly outcome: StepOutcome | null;
  /** So far. */
  readonly durationMs: number;
};

/** Records the steps of a run, for its budget and its account. */
export interface StepLog {
  /** Begins a step, or refuses it if the budget does not allow it. */
  begin(step: StepToTake): OpenStep | StepRefusal;
  /** Counts characters sent to or written by Gemini. */
  exchanged(characters: number): void;
  /** Adds a sentence to the account, once. */
  note(sentence: string): void;
}
