import type { GeminiFailure, RunEnd } from '@gemini-mcp/core';
import { isDelivered } from '@gemini-mcp/core/internal';
import type { CliOutcome } from './cli-outcome.ts';
import { excerptOf, exitOf } from './evidence.ts';
import { attributeToCli, outputRules, tierRules } from './output-rules.ts';
import {
  answerEndingRules,
  type ClassificationRule,
  endingRules,
  exitCodeRules,
  stopReasonRules,
  terminationRules,
} from './process-rules.ts';

/** Matches every unsuccessful outcome that no earlier row matched. */
const lastRule: ClassificationRule = {
  name: 'unknown',
  matches: () => true,
  build: (outcome) => ({ kind: 'unknown', detail: exitOf(outcome), excerpt: excerptOf(outcome) }),
};

/**
 * In order; the first match wins: our own actions on the run, then how the prompt and the model's answer ended, then exit codes with a
 * meaning, then messages, then how the process ended.
 */
export const classificationRules: readonly ClassificationRule[] = [
  ...terminationRules,
  ...stopReasonRules,
  ...answerEndingRules,
  ...tierRules,
  ...exitCodeRules,
  ...outputRules,
  ...endingRules,
  lastRule,
];

/**
 * Why a run failed; null if it answered. Success means a final event that reports it, visible text, and no failure as the model's ending.
 * The exit code alone proves nothing: a killed run exits 0.
 */
export function classifyOutcome(outcome: CliOutcome): GeminiFailure | null {
  if (isAnswer(outcome)) {
    return null;
  }
  const rule = classificationRules.find((candidate) => candidate.matches(outcome)) ?? lastRule;
  return attributeToCli(rule.build(outcome));
}

function isAnswer({ termination, completion, answered, ending }: CliOutcome): boolean {
  const isDeliverable = ending === undefined || isDelivered(ending);
  return termination === 'exited' && completion === 'success' && answered && isDeliverable;
}

/** Derives the end of a run from its outcome. */
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
