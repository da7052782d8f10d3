import type { RunEnd } from '@gemini-mcp/core';
import { isDelivered } from '@gemini-mcp/core/internal';
import { classifyOutcome } from './classify-outcome.ts';
import type { CliOutcome } from './cli-outcome.ts';

/** What a run with these remains came to. */
export function endOfRun(outcome: CliOutcome): RunEnd {
  const failure = classifyOutcome(outcome);
  if (failure !== null) {
    return { type: 'failure', failure };
  }
  const { ending, modelVersion } = outcome;
  return {
    type: 'answer',
    ending: ending !== undefined && isDelivered(ending) ? ending : null,
    ...(modelVersion !== undefined && { modelVersion }),
  };
}
