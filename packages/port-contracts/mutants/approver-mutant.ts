import type { ApprovalOutcome, ApprovalQuestion, Approver } from '@gemini-mcp/core';
import type { ApproverChange } from '../src/approver/scripted-approver-harness.ts';
import type { Mutant } from './prove-mutants.ts';

export type ApproverMutant = Mutant & ApproverChange;

/** An approver that tells another outcome than the right one. */
export function telling(
  change: (outcome: ApprovalOutcome, question: ApprovalQuestion) => ApprovalOutcome,
): (right: Approver) => Approver {
  return (right) => ({ ask: async (question, signal) => change(await right.ask(question, signal), question) });
}

/** An approver that asks the right one something else. */
export function asking(change: (question: ApprovalQuestion) => ApprovalQuestion): (right: Approver) => Approver {
  return (right) => ({ ask: (question, signal) => right.ask(change(question), signal) });
}

/** An approver that is asked with another signal. */
export function withSignal(change: (signal: AbortSignal) => AbortSignal): (right: Approver) => Approver {
  return (right) => ({ ask: (question, signal) => right.ask(question, change(signal)) });
}
