import type { CommandRule } from '../commands/command-rule.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import type { ApprovalToKeep } from '../ports/approval-store.ts';
import type { ApprovalQuestion, ApprovalSubject, StepToApprove } from '../ports/approver.ts';
import type { CommandRisk } from '../ports/workspace/step-result.ts';
import { escapeName } from '../text/escape-name.ts';
import { shellWord } from '../text/shell-word.ts';
import { askedPrefixes } from './asked-prefixes.ts';
import { describeLasting, formatPrefix } from './describe-lasting.ts';
import { formatWord } from './format-word.ts';
import type { AskedPart, AskedServer } from './lasting-match.ts';

/** Values shared by all questions of one run. */
export type QuestionPlace = {
  readonly rules: readonly CommandRule[];
  /** The real path of the working directory. */
  readonly directory: string;
  readonly network: boolean;
  /** Whether the user of this run may allow permanently: users who share a server may not, because the approval would hold for all of them. */
  readonly offersLasting: boolean;
  /** The shell command that started the server; `gemini-mcp-server` if missing. */
  readonly program?: string | undefined;
};

/** A question, and what its answers cover. */
export type BuiltQuestion = {
  readonly question: ApprovalQuestion;
  /** What an answer for the run covers; null if it is not offered. */
  readonly parts: readonly AskedPart[] | null;
  /** What the answer `server` covers; null if it is not offered. */
  readonly server: AskedServer | null;
  /** What a lasting answer would allow; null if it is not offered. */
  readonly lasting: Pick<ApprovalToKeep, 'allows' | 'directory'> | null;
};

/** A longer text does not help a user choose. */
const maxKindCharacters = 120;
const maxLastingCharacters = 180;

/** The question about a step, to be answered by the deadline. */
export function buildQuestion(step: StepToApprove, place: QuestionPlace, deadlineAtMs: number): BuiltQuestion {
  const subject = subjectOf(step, place);
  const { parts, kind } = kindOf(step, place);
  const { server, wholeServer } = serverOf(step, kind);
  const { lasting, words } = lastingOf(place.offersLasting ? parts : null);
  const reason = step.type === 'change' ? step.change.reason : step.reason;
  // Anyone with a terminal on the server may allow permanently, even if its users may not.
  const toType = commandToType(place, subject, lastingOf(parts).lasting);
  const question = {
    ...{ handle: canonicalJson(subject), subject, reason, kind, wholeServer, lasting: words, deadlineAtMs },
    ...(toType !== null && { toType }),
  };
  return { question, parts, server, lasting };
}

function subjectOf(step: StepToApprove, { directory, network }: QuestionPlace): ApprovalSubject {
  switch (step.type) {
    case 'change':
      return { type: 'change', path: step.change.path, diff: step.change.diff };
    case 'tool':
      return { type: 'tool', ...step.call };
    case 'command': {
      const { plan, writes, risk } = step;
      const where = resolveDirectory(directory, plan.directory);
      return {
        ...{ type: 'command', plan, directory: where, network },
        ...(writes !== undefined && { writes }),
        ...(risk !== undefined && { risk }),
      };
    }
  }
}

/** Null for a word with control characters, which would be shown differently from what must be typed. Tools can be allowed by the operator, too. */
function commandToType(
  { program = 'gemini-mcp-server', directory }: QuestionPlace,
  subject: ApprovalSubject,
  lasting: BuiltQuestion['lasting'],
): string | null {
  if (subject.type === 'tool') {
    const words = [subject.server, subject.tool];
    return words.some(isDeceptive) ? null : `${program} approvals allow-tool ${words.map(shellWord).join(' ')}`;
  }
  if (lasting?.allows.type !== 'command') {
    return null;
  }
  const { prefix, network } = lasting.allows;
  const allow = [`${program} approvals allow`, ...(network ? ['--network'] : []), ...prefix.map(shellWord)].join(' ');
  return [directory, ...prefix].some(isDeceptive) ? null : `(cd ${shellWord(directory)} && ${allow})`;
}

function isDeceptive(word: string): boolean {
  return escapeName(word) !== word;
}

/** As written, without resolving `..`: the name before it may be a link. */
function resolveDirectory(directory: string, given: string | null): string {
  if (given === null) {
    return directory;
  }
  return given.startsWith('/') ? given : `${directory}/${given}`;
}

const riskKinds: Readonly<Record<CommandRisk, string>> = {
  unmasked: 'each further command, though it may reach secrets and protected files,',
  'not-undoable': 'each further command, though not all that it changes can be undone,',
};

type AskedKind = { readonly parts: readonly AskedPart[] | null; readonly kind: string | null };

function kindOf(step: StepToApprove, place: QuestionPlace): AskedKind {
  const { parts, kind } = partsOf(step, place);
  return kind === null || kind.length > maxKindCharacters ? { parts: null, kind: null } : { parts, kind };
}

function partsOf(step: StepToApprove, { rules, directory, network }: QuestionPlace): AskedKind {
  if (step.type === 'tool') {
    const { server, tool, digest } = step.call;
    return { parts: [{ type: 'tool', server, tool, digest }], kind: `${formatWord(tool)} of ${formatWord(server)}` };
  }
  if (step.type === 'command' && step.risk !== undefined) {
    return { parts: [{ type: 'risk', risk: step.risk }], kind: riskKinds[step.risk] };
  }
  const prefixes = step.type === 'command' ? askedPrefixes(step.plan, rules) : null;
  if (step.type !== 'command' || prefixes === null || step.writes !== undefined) {
    return { parts: null, kind: null };
  }
  const where = {
    type: 'command',
    directory: resolveDirectory(directory, step.plan.directory),
    isInWorkingDirectory: step.plan.directory === null,
    network,
  } as const;
  return { parts: prefixes.map((prefix) => ({ prefix, ...where })), kind: prefixes.map(formatPrefix).join(' and ') };
}

function serverOf(
  step: StepToApprove,
  kind: string | null,
): { readonly server: AskedServer | null; readonly wholeServer: string | null } {
  if (step.type !== 'tool' || kind === null) {
    return { server: null, wholeServer: null };
  }
  const { server, digest } = step.call;
  return { server: { type: 'server', server, digest }, wholeServer: `every tool of ${formatWord(server)}` };
}

/** A single part; a command must run in the working directory itself, because the real path of any other directory is unknown here. */
function lastingOf(parts: readonly AskedPart[] | null): {
  readonly lasting: BuiltQuestion['lasting'];
  readonly words: string | null;
} {
  const [part, ...others] = parts ?? [];
  const lasting = part === undefined || others.length > 0 ? null : toKeep(part);
  const words = lasting === null ? null : describeLasting(lasting);
  return words === null || words.length > maxLastingCharacters ? { lasting: null, words: null } : { lasting, words };
}

function toKeep(part: AskedPart): BuiltQuestion['lasting'] {
  if (part.type === 'tool') {
    return { directory: null, allows: part };
  }
  if (part.type === 'server' || part.type === 'risk' || !part.isInWorkingDirectory) {
    return null;
  }
  const { prefix, directory, network } = part;
  return { directory, allows: { type: 'command', prefix, network } };
}
