import type { FailureKind, GeminiFailure } from '../failure/gemini-failure.ts';
import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';

const maxRetriesPerModel = 2;

/** A cold CLI needs more time than this before its first word: a run with less time left could only time out. */
const shortestUsefulRunMs = 1_000;

/** The progress of a call through its chain. */
export type FallbackState = {
  readonly model: string;
  /** The models after it, best first. */
  readonly laterModels: readonly string[];
  /** Retries already made on the current model. */
  readonly retries: number;
  readonly deadlineAtMs: number;
};

export type Moment = {
  readonly nowMs: number;
  /** Uniformly distributed in [0, 1), for jitter. */
  readonly random: number;
};

export type NextStep =
  | { readonly type: 'retry'; readonly delayMs: number }
  | { readonly type: 'next-model'; readonly model: string }
  | { readonly type: 'give-up' };

export function startOfChain([model, ...laterModels]: ModelChain, deadlineAtMs: number): FallbackState {
  return { model, laterModels, retries: 0, deadlineAtMs };
}

/** The state of the call after a step. */
export function afterStep(state: FallbackState, step: NextStep): FallbackState {
  switch (step.type) {
    case 'retry':
      return { ...state, retries: state.retries + 1 };
    case 'next-model':
      return { ...state, model: step.model, laterModels: state.laterModels.slice(1), retries: 0 };
    case 'give-up':
      return state;
  }
}

/** Chooses the next step after a failure: the same model again, the next one, or none. Never one that the deadline does not allow. */
export function nextStep(state: FallbackState, failure: GeminiFailure, moment: Moment): NextStep {
  const verdict = verdicts[failure.kind];
  return retryStep(state, failure, moment, verdict) ?? nextModelStep(state, moment, verdict) ?? { type: 'give-up' };
}

function retryStep(
  state: FallbackState,
  failure: GeminiFailure,
  { nowMs, random }: Moment,
  verdict: Verdict,
): NextStep | null {
  const retriable = verdict === 'retry-then-next-model' || verdict === 'retry-then-give-up';
  if (!retriable || state.retries >= maxRetriesPerModel) {
    return null;
  }
  const retryAfterMs = failure.kind === 'rate-limited' ? failure.retryAfterMs : null;
  const delayMs = backoffMs({ retries: state.retries, retryAfterMs, random });
  return nowMs + delayMs + shortestUsefulRunMs > state.deadlineAtMs ? null : { type: 'retry', delayMs };
}

function nextModelStep(state: FallbackState, { nowMs }: Moment, verdict: Verdict): NextStep | null {
  const replaceable = verdict === 'retry-then-next-model' || verdict === 'next-model';
  const [model] = state.laterModels;
  if (!replaceable || model === undefined || nowMs + shortestUsefulRunMs > state.deadlineAtMs) {
    return null;
  }
  return { type: 'next-model', model };
}

const firstCeilingMs = 1_000;
const highestCeilingMs = 16_000;

export type BackoffOptions = {
  /** Retries already made on this model. */
  readonly retries: number;
  /** The delay that the API requested, if any. */
  readonly retryAfterMs: number | null;
  /** Uniformly distributed in [0, 1). */
  readonly random: number;
};

/**
 * Full jitter: a random delay up to a ceiling that doubles, so that callers who failed together do not return together. A delay that the API
 * requested is added in full first.
 */
export function backoffMs({ retries, retryAfterMs, random }: BackoffOptions): number {
  const ceilingMs = Math.min(highestCeilingMs, firstCeilingMs * 2 ** retries);
  return Math.ceil((retryAfterMs ?? 0) + random * ceilingMs);
}

/** The consequence of a failure for its model, and for the rest of the chain. */
type Verdict =
  /** The same model may answer in a moment; if it does not, another may. */
  | 'retry-then-next-model'
  /** The same request may succeed in a moment; the choice of model makes no difference. */
  | 'retry-then-give-up'
  /** This model will not answer, however often it is asked. */
  | 'next-model'
  /** No model will. */
  | 'give-up';

/** Total on purpose: a new kind of failure does not compile until its verdict is here. */
export const verdicts: Readonly<Record<FailureKind, Verdict>> = {
  'rate-limited': 'retry-then-next-model',
  overloaded: 'retry-then-next-model',
  'server-error': 'retry-then-next-model',
  'empty-answer': 'retry-then-next-model',
  network: 'retry-then-give-up',
  crashed: 'retry-then-give-up',
  'resources-exhausted': 'retry-then-give-up',
  'malformed-output': 'retry-then-give-up',
  'quota-exhausted': 'next-model',
  'capacity-exhausted': 'next-model',
  'model-not-found': 'next-model',
  unknown: 'next-model',
  'cli-missing': 'give-up',
  'cli-outdated': 'give-up',
  'runner-unavailable': 'give-up',
  authentication: 'give-up',
  'tier-retired': 'give-up',
  'untrusted-workspace': 'give-up',
  configuration: 'give-up',
  'invalid-input': 'give-up',
  unsupported: 'give-up',
  'directory-refused': 'give-up',
  'servers-refused': 'give-up',
  'sandbox-missing': 'give-up',
  'unknown-session': 'give-up',
  'search-failed': 'give-up',
  'invalid-answer': 'give-up',
  'no-context': 'give-up',
  'context-too-large': 'give-up',
  blocked: 'give-up',
  'turn-limit': 'give-up',
  'tool-denied': 'give-up',
  // A retry would block its runner again, and other calls with it.
  hung: 'give-up',
  timeout: 'give-up',
  cancelled: 'give-up',
  busy: 'give-up',
};
