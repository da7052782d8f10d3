import type { ApprovalOutcome, ApprovalQuestion, Approver } from '@gemini-mcp/core';
import type { ApproverChange } from '../../src/approver/scripted-approver-harness.ts';
import type { Mutant } from '../prove-mutants.ts';

export type ApproverMutant = Mutant & ApproverChange;

/** Reports another outcome than the right approver. */
export function telling(
  change: (outcome: ApprovalOutcome, question: ApprovalQuestion) => ApprovalOutcome,
): (right: Approver) => Approver {
  return (right) => ({ ask: async (question, signal) => change(await right.ask(question, signal), question) });
}

/** Asks the right approver a changed question. */
export function asking(change: (question: ApprovalQuestion) => ApprovalQuestion): (right: Approver) => Approver {
  return (right) => ({ ask: (question, signal) => right.ask(change(question), signal) });
}

/** Asks the right approver with another signal. */
export function withSignal(change: (signal: AbortSignal) => AbortSignal): (right: Approver) => Approver {
  return (right) => ({ ask: (question, signal) => right.ask(question, change(signal)) });
}
