import type { CommandRule } from '../commands/command-rule.ts';
import type { ApprovalQuestion, ApprovalSubject, ApprovalToKeep } from '../ports/approver.ts';
import { askedPrefixes } from './asked-prefixes.ts';
import { canonicalJson } from './canonical-json.ts';
import { describeLasting, formatPrefix } from './describe-lasting.ts';
import type { AskedPart } from './lasting-match.ts';
import type { StepToApprove } from './step-to-approve.ts';

/** What is the same for all questions of one run. */
export type QuestionPlace = {
  readonly rules: readonly CommandRule[];
  /** The real path of the working directory. */
  readonly directory: string;
  readonly network: boolean;
  /** Whether the user of this run may allow for good: those who share a server may not, since all of them would be allowed. */
  readonly offersLasting: boolean;
};

/** A question, and what its answers cover. */
export type BuiltQuestion = {
  readonly question: ApprovalQuestion;
  /** What an answer for the run covers; null where none is offered. */
  readonly parts: readonly AskedPart[] | null;
  /** What a lasting answer would allow; null where none is offered. */
  readonly lasting: Pick<ApprovalToKeep, 'allows' | 'directory'> | null;
};

/** Longer ones say too little to a user who has to choose. */
const maxKindCharacters = 120;
const maxLastingCharacters = 180;

/** The question about a step, which has to be answered by the deadline. */
export function buildQuestion(step: StepToApprove, place: QuestionPlace, deadlineAtMs: number): BuiltQuestion {
  const subject = subjectOf(step, place);
  const { parts, kind } = kindOf(step, place);
  const { lasting, words } = lastingOf(place.offersLasting ? parts : null);
  const reason = step.type === 'command' ? step.reason : step.change.reason;
  const question = { handle: canonicalJson(subject), subject, reason, kind, lasting: words, deadlineAtMs };
  return { question, parts, lasting };
}

function subjectOf(step: StepToApprove, { directory, network }: QuestionPlace): ApprovalSubject {
  if (step.type === 'change') {
    return { type: 'change', path: step.change.path, diff: step.change.diff };
  }
  return { type: 'command', plan: step.plan, directory: resolveDirectory(directory, step.plan.directory), network };
}

/** As it is written, with no `..` taken out: what comes before one may be a link. */
function resolveDirectory(directory: string, given: string | null): string {
  if (given === null) {
    return directory;
  }
  return given.startsWith('/') ? given : `${directory}/${given}`;
}

function kindOf(
  step: StepToApprove,
  { rules, directory, network }: QuestionPlace,
): { readonly parts: readonly AskedPart[] | null; readonly kind: string | null } {
  const prefixes = step.type === 'command' ? askedPrefixes(step.plan, rules) : null;
  const kind = prefixes?.map(formatPrefix).join(' and ') ?? '';
  if (step.type !== 'command' || prefixes === null || kind.length > maxKindCharacters) {
    return { parts: null, kind: null };
  }
  const where = {
    directory: resolveDirectory(directory, step.plan.directory),
    isInWorkingDirectory: step.plan.directory === null,
    network,
  };
  return { parts: prefixes.map((prefix) => ({ prefix, ...where })), kind };
}

/** One part, in the working directory itself: the real path of any other is not known here. */
function lastingOf(parts: readonly AskedPart[] | null): {
  readonly lasting: BuiltQuestion['lasting'];
  readonly words: string | null;
} {
  const [part, ...others] = parts ?? [];
  if (part === undefined || others.length > 0 || !part.isInWorkingDirectory) {
    return { lasting: null, words: null };
  }
  const { prefix, directory, network } = part;
  const lasting = { directory, allows: { type: 'command', prefix, network } } as const;
  const words = describeLasting(lasting);
  return words.length > maxLastingCharacters ? { lasting: null, words: null } : { lasting, words };
}
