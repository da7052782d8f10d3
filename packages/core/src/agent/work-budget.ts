import { countOf } from '../text/format-count.ts';

/** The limits of a run with tools. Its time is limited by its deadline. */
export type WorkBudget = {
  /** Tool calls. */
  readonly maxSteps: number;
  /** Contents that tools write to files; commands are limited by their sandbox. */
  readonly maxWrittenBytes: number;
  /** Estimated tokens that Gemini reads: each step sends the conversation again. */
  readonly maxTokens: number;
};

/** What a run with tools has used up. */
export type WorkSpend = {
  readonly steps: number;
  readonly writtenBytes: number;
  /** An estimate from the texts sent in both directions. */
  readonly tokens: number;
};

/** Whether a run may take a step; `reason` names the limit it has reached, in a sentence. */
export type Allowance = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** Whether a run that has used up this much may take one more step that writes `writtenBytes`. */
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
