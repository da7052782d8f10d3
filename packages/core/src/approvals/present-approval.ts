import { canonicalJson } from '../json/canonical-json.ts';
import type { ApprovalAnswer, ApprovalQuestion, ApprovalSubject } from '../ports/approver.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { escapeJson } from '../text/escape-json.ts';
import { countOf } from '../text/format-count.ts';
import { formatPlan } from './format-plan.ts';
import { formatWord } from './format-word.ts';
import { offeredAnswers } from './offered-answers.ts';

/** A question as the user sees it. */
export type PresentedApproval = {
  /** At most 2,000 characters. Lines that begin with `|` come from Gemini or a file; all others are ours. */
  readonly message: string;
  /** The answers that the question offers, each with its meaning. Nothing is preselected: without a choice, nothing is allowed. */
  readonly choices: readonly { readonly answer: ApprovalAnswer; readonly label: string }[];
};

/** MCP forms show this many. */
const maxMessageCharacters = 2_000;
const maxReasonCharacters = 300;
const maxWarnings = 4;

/** The question as text, safe to show. Null for a subject too long to show whole: people cannot agree to what they do not see. */
export function presentApproval(question: ApprovalQuestion): PresentedApproval | null {
  const { subject, reason } = question;
  const about = linesOf(subject, `Why you are asked: ${cut(oneLine(reason))}`);
  const answers = offeredAnswers(question).map((answer) => ({ answer, ...wordsOf(answer, question) }));
  const message = [...(about ?? []), ...answers.flatMap(({ meaning }) => meaning ?? [])].join('\n');
  if (about === null || message.length > maxMessageCharacters) {
    return null;
  }
  return { message, choices: answers.map(({ answer, label }) => ({ answer, label })) };
}

/** Claude Code cuts a label at some 47 characters, and the end of it can be what matters. */
const maxLabelCharacters = 40;

type AnswerWords = {
  readonly label: string;
  /** A line of the message, if the label cannot say all that the answer covers. */
  readonly meaning?: string;
};

function wordsOf(answer: ApprovalAnswer, { kind, wholeServer, lasting }: ApprovalQuestion): AnswerWords {
  switch (answer) {
    case 'once':
      return { label: 'Allow it this once' };
    case 'run':
      return fitLabel(`Allow ${kind} until this run ends`, 'Allow this kind until the run ends', kind);
    case 'server':
      return fitLabel(`Allow ${wholeServer} until this run ends`, 'Allow its server until the run ends', wholeServer);
    case 'always':
      return fitLabel(`Allow always: ${lasting}`, 'Allow this kind from now on', lasting);
    case 'no':
      return { label: 'No' };
  }
}

function fitLabel(whole: string, short: string, covered: string | null): AnswerWords {
  return whole.length <= maxLabelCharacters ? { label: whole } : { label: short, meaning: `"${short}": ${covered}` };
}

/** Claude Code shows three lines and no way to see the rest: the first two have to suffice for a decision. */
function linesOf(subject: ApprovalSubject, why: string): readonly string[] | null {
  switch (subject.type) {
    case 'command':
      return commandLines(subject, why);
    case 'change': {
      const diff = showDiff(subject.diff);
      return diff && [`Gemini asks to change ${formatWord(subject.path)}: ${countChanges(subject.diff)}`, why, ...diff];
    }
    case 'tool':
      return [
        `Gemini asks to call the tool ${formatWord(subject.tool)} of the server ${formatWord(subject.server)}`,
        ...warningLines(subject),
        `| ${escapeJson(canonicalJson(subject.arguments))}`,
        why,
      ];
  }
}

function commandLines(
  { plan, directory, network, writes }: Extract<ApprovalSubject, { readonly type: 'command' }>,
  why: string,
): readonly string[] {
  const [first = '', ...others] = formatPlan(plan);
  const more = others.length === 0 ? '' : `and ${countOf(others.length, 'more line')} below, `;
  const reach = network ? 'with the network' : 'without the network';
  return [
    `| ${first}`,
    `${more}in ${formatWord(directory)}, ${reach}, inside the sandbox`,
    ...(writes === undefined ? [] : [`File that it writes, with content not known yet: ${formatWord(writes)}`]),
    why,
    'Gemini asks to run this command. Quoted words are literal text.',
    ...others.map((line) => `| ${line}`),
  ];
}

function countChanges(diff: string): string {
  const all = diff.split('\n');
  // The names of the file come before the first hunk, with the same signs.
  const lines = all.slice(all.findIndex((line) => line.startsWith('@@')) + 1);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return `${countOf(count('+'), 'line')} added, ${count('-')} removed`;
}

function warningLines({ server, warnings }: Extract<ApprovalSubject, { readonly type: 'tool' }>): readonly string[] {
  const more = warnings.length - maxWarnings;
  return [
    ...warnings.slice(0, maxWarnings).map((warning) => `Look out: ${cut(oneLine(warning))}`),
    ...(more > 0 ? [`Look out: ${more} more warnings are shown at a terminal by mcp list ${formatWord(server)}`] : []),
  ];
}

function oneLine(text: string): string {
  return escapeControls(text.replace(/\s+/g, ' '));
}

function cut(text: string): string {
  return text.length > maxReasonCharacters ? `${text.slice(0, maxReasonCharacters - 1)}…` : text;
}

/** This much fits into a question with its other lines. */
const maxCharacters = 1_500;
/** Forms show no more without a scroll bar. */
const maxLines = 60;

/**
 * A diff, each line marked as not ours: every added or removed line, whole, and the unchanged lines around them if there is room. Long runs of blanks
 * are counted. Null for a diff that is too long for this.
 */
export function showDiff(diff: string): readonly string[] | null {
  const lines = diff === '' ? [] : countBlankLines(diff.replace(/\n$/, '').split('\n').map(makeVisible));
  if (fits(lines)) {
    return lines.map(mark);
  }
  const changed = lines.filter((line) => !line.startsWith(' '));
  const left = countOf(lines.length - changed.length, 'unchanged line');
  return fits(changed) ? [...changed.map(mark), `(${left} around them not shown)`] : null;
}

function fits(lines: readonly string[]): boolean {
  return lines.length <= maxLines && lines.join('\n').length <= maxCharacters;
}

function mark(line: string): string {
  return `| ${line}`;
}

/** A braille pattern without dots looks like a blank, too. */
const longBlank = /[\s\u2800]{41,}/gu;

function makeVisible(line: string): string {
  // A file must not contain the signs that stand for blanks.
  const text = escapeControls(line).replaceAll('⟨', '\\u{27e8}');
  return text.replace(longBlank, (blanks) => `⟨${countOf(blanks.length, 'blank')}⟩`);
}

const blankLine = /^[+-](?:[\s\u2800]*|⟨[\d,]+ blanks⟩)$/u;
const fewBlankLines = 3;

function countBlankLines(lines: readonly string[]): readonly string[] {
  const runs: string[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    const goesOn = blankLine.test(line) && last !== undefined && blankLine.test(last[0] ?? '');
    if (goesOn && last[0]?.[0] === line[0]) {
      last.push(line);
    } else {
      runs.push([line]);
    }
  }
  return runs.flatMap((run) =>
    run.length <= fewBlankLines ? run : [`${run[0]?.[0] ?? ''}⟨${countOf(run.length, 'blank line')}⟩`],
  );
}
