import type { ApprovalSubject } from '../ports/approver.ts';
import { formatPlan } from './format-plan.ts';
import { formatWord } from './format-word.ts';

const maxCharacters = 200;

/** The subject of a question, on one line, safe to show and cut if it is long. */
export function describeSubject(subject: ApprovalSubject): string {
  const line = lineOf(subject);
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1)}…` : line;
}

function lineOf(subject: ApprovalSubject): string {
  switch (subject.type) {
    case 'command':
      return formatPlan(subject.plan).join(' ');
    case 'change':
      return formatWord(subject.path);
    case 'tool':
      return `${formatWord(subject.tool)} of ${formatWord(subject.server)}`;
  }
}
