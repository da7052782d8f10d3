import { isDelivered } from './answer-ending.ts';
import { answerEndingRules } from './answer-ending-rules.ts';
import type { ClassificationRule } from './classification-rule.ts';
import { excerptOf } from './evidence.ts';
import type { GeminiFailure } from './gemini-failure.ts';
import { endingRules, exitCodeRules, terminationRules } from './process-rules.ts';
import type { RunOutcome } from './run-outcome.ts';
import { saidRules, tierRules } from './said-rules.ts';

/** Every outcome that was no success matches the last row. */
const lastRule: ClassificationRule = {
  name: 'unknown',
  matches: () => true,
  build: (outcome) => ({ kind: 'unknown', exitCode: outcome.exitCode, excerpt: excerptOf(outcome) }),
};

/**
 * In the order in which they are asked, the first match wins: what we did to the run, then how the model ended its answer, then
 * exit codes with a meaning, then what was said, then how the run ended.
 */
export const classificationRules: readonly ClassificationRule[] = [
  ...terminationRules,
  ...answerEndingRules,
  ...tierRules,
  ...exitCodeRules,
  ...saidRules,
  ...endingRules,
  lastRule,
];

/**
 * Says what went wrong in a run, or null when it answered. Success means that the stream said so, that there was text,
 * and that the model did not end it as a failure: the exit code alone proves nothing, a killed run exits 0. An answer that was
 * cut at the output limit is an answer, and its `ending` says so.
 */
export function classifyOutcome(outcome: RunOutcome): GeminiFailure | null {
  if (isAnswer(outcome)) {
    return null;
  }
  const rule = classificationRules.find((candidate) => candidate.matches(outcome)) ?? lastRule;
  return rule.build(outcome);
}

function isAnswer({ termination, completion, answered, ending }: RunOutcome): boolean {
  const isDeliverable = ending === undefined || isDelivered(ending);
  return termination === 'exited' && completion === 'success' && answered && isDeliverable;
}
