import type { GeminiFailure } from '@gemini-mcp/core';
import type { CliOutcome } from './cli-outcome.ts';

/** One row of the classification table. */
export type ClassificationRule = {
  /** Names the row in tests and logs; unique. */
  readonly name: string;
  readonly matches: (outcome: CliOutcome) => boolean;
  readonly build: (outcome: CliOutcome) => GeminiFailure;
};
