import type { ClassificationRule } from './classification-rule.ts';
import { excerptOf } from './evidence.ts';
import type { RunOutcome } from './run-outcome.ts';

/**
 * How the model ended its answer, where the runner was told. Gemini CLI 0.61.0 says nothing of it where there was text, and
 * calls a blocked prompt a stream without a finish reason. Where there was no text, its words tell more than the ending.
 */
export const answerEndingRules: readonly ClassificationRule[] = [
  {
    name: 'ended by a filter',
    matches: ({ ending }) => ending?.type === 'blocked',
    build: (outcome) => {
      const what = outcome.ending?.type === 'blocked' ? outcome.ending.what : 'answer';
      return { kind: 'blocked', what, excerpt: excerptWithReason(outcome) };
    },
  },
  {
    name: 'ended with a damaged call, or without a reason',
    matches: ({ ending, answered }) => answered && (ending?.type === 'malformed' || ending?.type === 'unfinished'),
    build: (outcome) => ({ kind: 'malformed-output', excerpt: excerptWithReason(outcome) }),
  },
];

function excerptWithReason(outcome: RunOutcome): string {
  const { ending } = outcome;
  const reason = ending !== undefined && 'reason' in ending ? `Finish reason of the API: ${ending.reason}` : '';
  return [reason, excerptOf(outcome)].filter((part) => part !== '').join('\n');
}
