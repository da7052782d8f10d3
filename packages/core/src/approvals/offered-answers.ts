import type { ApprovalAnswer, ApprovalQuestion } from '../ports/approver.ts';

/** The answers that a question offers, in the order in which they are shown. */
export function offeredAnswers({
  kind,
  lasting,
}: Pick<ApprovalQuestion, 'kind' | 'lasting'>): readonly ApprovalAnswer[] {
  const run: readonly ApprovalAnswer[] = kind === null ? [] : ['run'];
  const always: readonly ApprovalAnswer[] = lasting === null ? [] : ['always'];
  return ['once', ...run, ...always, 'no'];
}
