import type { GeminiFailure } from './gemini-failure.ts';
import type { RunOutcome } from './run-outcome.ts';

/** One row of the classification table. */
export type ClassificationRule = {
  /** Names the row in tests and logs; unique. */
  readonly name: string;
  readonly matches: (outcome: RunOutcome) => boolean;
  readonly build: (outcome: RunOutcome) => GeminiFailure;
};
