import {
  type AskAnswer,
  type AskProgress,
  type ChangeSelection,
  failureAdvice,
  failureReason,
  formatAccount,
  type Review,
  type ReviewResult,
} from '@gemini-mcp/core';
import { describeReviewAsData, escapeControls, formatReview, severities, toSarif } from '@gemini-mcp/core/internal';
import type { ReviewsAtTerminal } from '../command-line/program.ts';
import type { ReviewMode } from '../command-line/read-review-words.ts';
import type { CommandResult } from '../command-line/run-command.ts';
import { formatJson } from '../command-line/run-sessions.ts';
import { serverFailureWords } from '../failure-words/server-failure-words.ts';
import { approveCost } from './approve-cost.ts';
import { formatAnnotations } from './format-annotations.ts';

export type ReviewRun = {
  readonly mode: ReviewMode;
  readonly reviews: Omit<ReviewsAtTerminal, 'close'>;
  /** Fingerprints of the findings in the baseline. */
  readonly known: ReadonlySet<string>;
  readonly version: string;
  /** Shows a line of progress at once. */
  readonly tell: (line: string) => void;
};

/** A finished review, or the reason why it could not be, as sentences for a user. */
export type ReviewEnd =
  | { readonly ok: true; readonly review: Review; readonly answer: AskAnswer | null }
  | { readonly ok: false; readonly problem: string };

/** Of a command that could not review. A usage error has the same. */
export const notReviewedExitCode = 2;

/** Reviews the change, after showing its size and cost. Never rejects because of Gemini, Git or a file. */
export async function runReview({ mode, reviews, known, tell }: ReviewRun, signal: AbortSignal): Promise<ReviewEnd> {
  const { reviewChange, owner, place, models, timeoutMs } = reviews;
  if ('problem' in place) {
    return { ok: false, problem: place.problem };
  }
  const { severity, focus, model, maxCost, posts } = mode;
  const candidates = model === null ? models : [model];
  const result = await reviewChange.review(
    {
      ...{ owner, severity, focus, model, timeoutMs, known, directory: place.directory, roots: place.roots },
      selection: mode.change ?? workingTree,
      origin: { tool: 'gemini_review', clientName: posts ? 'github' : 'terminal' },
      approve: (estimate) => approveCost(estimate, { models: candidates, maxCost, nowMs: Date.now(), tell }),
    },
    (progress) => tellProgress(progress, tell),
    signal,
  );
  return result.ok ? result : { ok: false, problem: problemOf(result) };
}

const workingTree: ChangeSelection = { type: 'working' };

function tellProgress(progress: AskProgress, tell: ReviewRun['tell']): void {
  if (progress.type === 'status') {
    tell(progress.text);
  } else if (progress.type === 'falling-back') {
    tell(`${progress.from} gave no answer. Asking ${progress.to}`);
  }
}

function problemOf(result: Extract<ReviewResult, { readonly ok: false }>): string {
  if (result.failed === null) {
    return result.problem;
  }
  const { failure } = result.failed;
  const reason = failureReason(failure, serverFailureWords);
  return `Gemini gave no answer: ${reason}. ${failureAdvice(failure, 'query', serverFailureWords)}`;
}

/** The result of the command without a pull request. */
export function presentReview(end: ReviewEnd, { mode, known, version }: ReviewRun): CommandResult {
  if (!end.ok) {
    return { output: '', note: `Not reviewed: ${escapeControls(end.problem)}\n`, exitCode: notReviewedExitCode };
  }
  const { review } = end;
  const account = accountOf(end);
  const exitCode = exitCodeOf(review, mode);
  switch (mode.format) {
    case 'json':
      return {
        output: formatJson({ ...describeReviewAsData(review), account, baseline: [...known] }),
        note: '',
        exitCode,
      };
    case 'sarif':
      return { output: formatJson(toSarif(review, version)), note: '', exitCode };
    case 'github':
      return { output: formatAnnotations(review), note: `${account}\n`, exitCode };
    case 'text':
      return { output: `${formatReview(review)}\n`, note: account === '' ? '' : `\n${account}\n`, exitCode };
  }
}

/** The account of the questions; empty without a question. */
export function accountOf({ answer }: Extract<ReviewEnd, { readonly ok: true }>): string {
  return answer === null ? '' : formatAccount(answer, { words: serverFailureWords });
}

/** 1 if a verified finding is severe enough to fail. */
export function exitCodeOf({ findings }: Review, { failOn }: Pick<ReviewMode, 'failOn'>): number {
  const isFailing = findings.some(
    ({ isVerified, severity }) =>
      isVerified && failOn !== 'never' && severities.indexOf(severity) <= severities.indexOf(failOn),
  );
  return isFailing ? 1 : 0;
}
