import type { AnswerEnding } from './answer-ending.ts';

/** What the runner refused to carry, and how far over its limit it was. */
export type InputRefusal = {
  readonly measure: 'bytes' | 'characters' | 'bytes of media';
  readonly actual: number;
  readonly limit: number;
};

/** A part of a request that a runner has no way to honour. */
export type UnsupportedFeature =
  | 'history'
  | 'system-prompt'
  | 'tools'
  | 'directory'
  | 'media'
  | 'api-key'
  | 'sandbox'
  /** To run without a login that is known: what is missing, another way of running tells better. */
  | 'login';

/**
 * Everything that is known about a run that has ended. Success and failure have one shape, as in execa's `reject: false`:
 * `classifyOutcome` alone decides which it was.
 */
export type RunOutcome = {
  /**
   * What ended the run. The first cause wins: a run that was cancelled and then killed was cancelled. `hung`: what carried it
   * answered no more, and this run may be why.
   */
  readonly termination: 'exited' | 'cancelled' | 'timed-out' | 'refused' | 'not-started' | 'output-limit' | 'hung';
  /** When `termination` is `refused` for its size. */
  readonly refusal?: InputRefusal;
  /** When `termination` is `refused` because the runner cannot do it. */
  readonly unsupported?: UnsupportedFeature;
  /** Why there was no run, when `termination` is `not-started`. */
  readonly startError?: {
    readonly code:
      | 'cli-missing'
      | 'cli-outdated'
      | 'spawn-failed'
      /** This way of running cannot be had now, whatever is asked: its process does not come up. Nothing was sent. */
      | 'runner-unavailable'
      | 'workspace'
      /** The system has run out of something, such as file descriptors, processes, memory or room on a disk. */
      | 'resources-exhausted'
      | 'directory-refused'
      | 'sandbox-missing';
    readonly detail: string;
  };
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
  /** HTTP status of the API, where the runner was told one. */
  readonly httpStatus: number | null;
  /** Errors and warnings that came as events, in order. Text from strangers. */
  readonly messages: readonly string[];
  /** The end of stderr, capped and redacted by the runner. Text from strangers. */
  readonly stderr: string;
  /** The beginning of whatever stood on stdout that was no event, capped and redacted. Text from strangers. */
  readonly strayOutput: string;
};
