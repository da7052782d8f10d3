import type { GeminiFailure } from '@gemini-mcp/core';
import { failureOfEnding } from '@gemini-mcp/core/internal';
import type { ClassificationRule } from './classification-rule.ts';
import type { CliOutcome } from './cli-outcome.ts';
import { excerptOf } from './evidence.ts';

/**
 * How the model ended its answer, where the runner was told. Gemini CLI 0.61.0 says nothing of it where there was text, and
 * calls a blocked prompt a stream without a finish reason. Where there was no text, its words tell more than the ending.
 */
export const answerEndingRules: readonly ClassificationRule[] = [
  { name: 'ended by a filter', matches: ({ ending }) => ending?.type === 'blocked', build: buildFromEnding },
  {
    name: 'ended with a damaged call, or without a reason',
    matches: ({ ending, answered }) => answered && (ending?.type === 'malformed' || ending?.type === 'unfinished'),
    build: buildFromEnding,
  },
];

function buildFromEnding(outcome: CliOutcome): GeminiFailure {
  const { ending = { type: 'unfinished' }, answered } = outcome;
  return failureOfEnding({ ending, hasText: answered }, excerptOf(outcome));
}
