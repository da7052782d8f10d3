import type { FailureKind } from '../failure/gemini-failure.ts';

/** The consequence of a failure for its model, and for the rest of the chain. */
export type Verdict =
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
