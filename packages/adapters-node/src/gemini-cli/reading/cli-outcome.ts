import type { AnswerEnding } from '@gemini-mcp/core';

/** The facts about a finished run of the Gemini CLI. Only `classifyOutcome` decides whether it succeeded. */
export type CliOutcome = {
  /** What ended the run; the first cause wins. `hung`: its process stopped answering. */
  readonly termination: 'exited' | 'cancelled' | 'timed-out' | 'output-limit' | 'hung';
  /** Null if the process did not exit, or if the runner ended it after its answer. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The status in the last event of the stream; `missing` if the stream ended without one. */
  readonly completion: 'success' | 'error' | 'missing';
  /** Whether the stream held at least one event that we parsed. */
  readonly sawEvents: boolean;
  /** Whether any visible answer text arrived. */
  readonly answered: boolean;
  /** How the model ended the answer. Missing if not reported. */
  readonly ending?: AnswerEnding;
  /** The model that answered, by the API's name for it. Missing if not reported. */
  readonly modelVersion?: string;
  /** The session mode's reason for the end of a prompt, if reported: `end_turn`, `max_tokens`, `max_turn_requests`. */
  readonly stopReason?: string;
  /** HTTP status of the API, if reported. */
  readonly httpStatus: number | null;
  /** Errors and warnings that arrived as events, in order. Untrusted text. */
  readonly messages: readonly string[];
  /** The end of stderr, capped and redacted by the runner. Untrusted text. */
  readonly stderr: string;
  /** The beginning of all stdout output that was not an event, capped and redacted. Untrusted text. */
  readonly strayOutput: string;
};
