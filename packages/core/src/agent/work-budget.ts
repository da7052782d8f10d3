import { countOf } from '../text/format-count.ts';

/** The most that a run with tools may use up. Its time is limited by its deadline. */
export type WorkBudget = {
  /** Calls of tools. */
  readonly maxSteps: number;
  /** Of contents that tools write to files; what commands write is limited by their sandbox. */
  readonly maxWrittenBytes: number;
  /** That Gemini reads, as they are estimated: each step sends the conversation again. */
  readonly maxTokens: number;
};

/** What a run with tools has used up. */
export type WorkSpend = {
  readonly steps: number;
  readonly writtenBytes: number;
  /** An estimate, by the texts that went to and fro. */
  readonly tokens: number;
};

/** Whether a run may take a step; `reason` says which limit it has reached, in a sentence. */
export type Allowance = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Whether a run that has used up so much may take one more step that writes so many bytes. */
export function nextAllowance(budget: WorkBudget, spend: WorkSpend, writtenBytes: number): Allowance {
  if (spend.steps >= budget.maxSteps) {
    return over(`the ${countOf(budget.maxSteps, 'step')}`);
  }
  if (spend.tokens >= budget.maxTokens) {
    return over(`the ${countOf(budget.maxTokens, 'token')}`);
  }
  if (writtenBytes > 0 && spend.writtenBytes + writtenBytes > budget.maxWrittenBytes) {
    return over(`the ${countOf(budget.maxWrittenBytes, 'byte')} that may be written`);
  }
  return { allowed: true };
}

function over(what: string): Allowance {
  return { allowed: false, reason: `The run has used up ${what} of its budget.` };
}
