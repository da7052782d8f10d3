import type { RunOutcome } from '../failure/run-outcome.ts';

/** What a runner can carry and do. Fixed for the life of the runner. */
export type RunnerCapabilities = {
  /** Names the way of running in logs: `headless`, `scripted`. */
  readonly name: string;
  /** Largest `input` in UTF-8 bytes that reaches the model whole. */
  readonly maxInputBytes: number;
  /** Largest `input` in UTF-16 code units (`string.length`) that reaches the model whole. */
  readonly maxInputCharacters: number;
  /** Can go on with an earlier conversation. */
  readonly resume: boolean;
  /** Can choose which tools Gemini may use. */
  readonly toolControl: boolean;
  /** Answers without starting a process for each call. */
  readonly warmStart: boolean;
};

export type RunRequest = {
  readonly model: string;
  /** The whole message to Gemini, delivered literally: nothing in it is a command to whatever carries it. */
  readonly input: string;
  /** Time by which the run has ended, in milliseconds since the epoch of the runner's clock. */
  readonly deadlineAtMs: number;
};

/** Tokens that one model used in a run. */
export type ModelUsage = {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

export type RunEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly name: string; readonly phase: 'started' | 'succeeded' | 'failed' }
  | { readonly type: 'usage'; readonly models: readonly ModelUsage[] }
  | { readonly type: 'outcome'; readonly outcome: RunOutcome };

/**
 * Carries one request to Gemini.
 *
 * An implementer owes: events in the order in which they happened, exactly one `outcome`, last; the input delivered whole
 * or refused before anything is sent (`termination: 'refused'`); the end of the run by `deadlineAtMs` (plus the time that a
 * stubborn process needs to die) and soon after an abort; every process, file and timer of the run gone before the
 * `outcome` is yielded; a failure of the process as data in the outcome, never as an exception. A consumer that stops
 * iterating early ends the run as an abort does. No retries of its own.
 */
export interface GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  run(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent>;
}
