import { type FailureKind, failureAdvice, failureReason } from '@gemini-mcp/core';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import type { Check } from './check.ts';
import type { TrialCall } from './doctor-probes.ts';

/** After these a call goes on to the next model of the chain, so calls still get an answer. */
const passing: readonly FailureKind[] = [
  'rate-limited',
  'quota-exhausted',
  'capacity-exhausted',
  'model-not-found',
  'overloaded',
  'server-error',
];

/** Whether Gemini answers, and how long it takes. */
export function checkCall(model: string, { durationMs, failure }: TrialCall): Check {
  const name = 'Call';
  const seconds = `${(durationMs / 1_000).toFixed(1)} s`;
  if (failure === null) {
    return { name, status: 'ok', found: `${model} answered in ${seconds}`, fix: null };
  }
  return {
    name,
    status: passing.includes(failure.kind) ? 'warn' : 'fail',
    found: `${model} gave no answer (${seconds}): ${failureReason(failure, serverFailureWords)}`,
    fix: failureAdvice(failure, 'query', serverFailureWords),
  };
}
