import type { AnswerStore } from '@gemini-mcp/core';
import type { AnswerStoreBounds } from '../../src/answer-store/answer-store-harness.ts';
import type { Mutant } from '../prove-mutants.ts';

export type AnswerStoreMutant = Mutant & {
  /** Other bounds or another clock than the test asked for. */
  readonly changeBounds?: (bounds: AnswerStoreBounds) => Partial<AnswerStoreBounds>;
  /** `whole` has the same answers, including the records that `right` finds damaged. */
  readonly mutate?: (right: AnswerStore, bounds: AnswerStoreBounds, whole: AnswerStore) => Partial<AnswerStore>;
  /** Answers end with the instance. */
  readonly forgets?: true;
};

export const unbounded: number = Number.MAX_SAFE_INTEGER;
