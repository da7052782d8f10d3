import type { AnswerEnding } from '@gemini-mcp/core';

/** All that is known about a run of the Gemini CLI that has ended. `classifyOutcome` alone decides whether it succeeded. */
export type CliOutcome = {
  /** What ended the run; the first cause wins. `hung`: its process answered no more. */
  readonly termination: 'exited' | 'cancelled' | 'timed-out' | 'output-limit' | 'hung';
  /** Null where there was no exit, or where the runner ended a run that had answered. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What the last event of the stream said; `missing` when the stream ended without one. */
  readonly completion: 'success' | 'error' | 'missing';
  /** Whether the stream held at least one event that we understood. */
  readonly sawEvents: boolean;
  /** Whether any visible answer text arrived. */
  readonly answered: boolean;
  /** How the model ended the answer. Missing where the runner was not told. */
  readonly ending?: AnswerEnding;
  /** The model that answered, by the name that the API gave it. Missing where the runner was not told. */
  readonly modelVersion?: string;
  /** How the session mode said that a prompt ended, where it said so: `end_turn`, `max_tokens`, `max_turn_requests`. */
  readonly stopReason?: string;
  /** HTTP status of the API, where the runner was told one. */
  readonly httpStatus: number | null;
  /** Errors and warnings that came as events, in order. Text from strangers. */
  readonly messages: readonly string[];
  /** The end of stderr, capped and redacted by the runner. Text from strangers. */
  readonly stderr: string;
  /** The beginning of whatever stood on stdout that was no event, capped and redacted. Text from strangers. */
  readonly strayOutput: string;
};
