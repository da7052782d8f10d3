import type { ServerTool } from './upstreams/upstream-servers.ts';
import type { StepRefusal } from './workspace/step-result.ts';

/** What a step came to. */
export type StepOutcome =
  /** Its last part in a few words of ours, such as `exit 1` or `+3 -1`; empty where there is nothing to say. */
  | { readonly type: 'done'; readonly summary: string }
  | { readonly type: 'refused'; readonly refusal: Pick<StepRefusal, 'code' | 'message'> };

/** A step that Gemini wants to take. */
export type StepToTake = {
  readonly tool: string;
  readonly subject: string;
  /** Whether it may change something. */
  readonly changes: boolean;
  /** Whether its user is told when it begins. */
  readonly takesLong: boolean;
  /** Of contents that it writes. */
  readonly writtenBytes: number;
  /** The tool of another server that it calls; missing for other steps. */
  readonly server?: ServerTool;
};

/** A step that goes on. */
export type OpenStep = {
  /** Ends the step, once. */
  readonly end: (outcome: StepOutcome) => void;
};

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

/** Writes down the steps of a run, for its budget and its account. */
export interface StepLog {
  /** Begins a step, or refuses it where the budget has no room for it. */
  begin(step: StepToTake): OpenStep | StepRefusal;
  /** Counts what Gemini was sent, or wrote. */
  exchanged(characters: number): void;
  /** Keeps a sentence for the account, once. */
  note(sentence: string): void;
}
