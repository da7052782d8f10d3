import type { ApprovalAnswer, ApprovalQuestion } from '../ports/approver.ts';

/** The answers that a question offers, in display order. */
export function offeredAnswers({
  kind,
  wholeServer,
  lasting,
}: Pick<ApprovalQuestion, 'kind' | 'wholeServer' | 'lasting'>): readonly ApprovalAnswer[] {
  const run: readonly ApprovalAnswer[] = kind === null ? [] : ['run'];
  const server: readonly ApprovalAnswer[] = wholeServer === null ? [] : ['server'];
  const always: readonly ApprovalAnswer[] = lasting === null ? [] : ['always'];
  return ['once', ...run, ...server, ...always, 'no'];
}
