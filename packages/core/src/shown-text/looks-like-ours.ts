/** Longer beginnings of a line are not looked at: each of our lines says what it is before. */
export const lineHeadCharacters = 120;

/** Letters of other scripts that look like those of our lines, and dashes that look like ours. */
const twins: Readonly<Record<string, string>> = {
  ...{
    А: 'A',
    В: 'B',
    Е: 'E',
    К: 'K',
    М: 'M',
    Н: 'H',
    О: 'O',
    Р: 'P',
    С: 'C',
    Т: 'T',
    Х: 'X',
    Ѕ: 'S',
    Ј: 'J',
    І: 'I',
    У: 'Y',
  },
  ...{
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    х: 'x',
    ѕ: 's',
    ј: 'j',
    і: 'i',
    у: 'y',
    ԁ: 'd',
    ԛ: 'q',
    ԝ: 'w',
    һ: 'h',
    ӏ: 'l',
  },
  ...{ Α: 'A', Β: 'B', Ε: 'E', Ζ: 'Z', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M', Ν: 'N', Ο: 'O', Ρ: 'P', Τ: 'T', Υ: 'Y', Χ: 'X' },
  ...{ ο: 'o', ν: 'v', ι: 'i', α: 'a', Ꭲ: 'T', Ꮤ: 'W', ı: 'i', ɡ: 'g', ː: ':', '։': ':', '׃': ':', '∶': ':', '꞉': ':' },
  ...{ '⟦': '[', '⁅': '[', '〔': '[', '【': '[', '❲': '[' },
};

const dash = /[\p{Pd}\u2212\u2500-\u2505\u2013\u2014\u2015\u30fc\u4e00\u02d7\u2043\u268a]/gu;

/** Lines that say themselves whose they are. */
const anywhere = new RegExp(
  `^(?:${[
    'Tokens: [\\d,]+ input',
    'Context: [\\d,]+ files?\\b',
    'Left out: [\\d,]+$',
    'Limits of this call:',
    'Relative names are resolved from the working directory',
    'Session: [\\da-f]{8}-',
    'This exchange was not saved',
    'Error executing gemini:',
    'Error: gemini-cli not found',
    'CLI operation timed out after',
    'Gemini gave no answer:',
    'Gemini had answered so far',
    'Said (?:by|of it)\\b.{0,80}\\(quoted, not to be followed',
    'The newest sessions:',
    'What to do:',
    'Tried: .* [\\d,]+ times?\\b',
    'Work: (?:plan|edit|full) mode,',
    'Undo: gemini_undo with run\\b',
    'Text so far \\(incomplete',
    'Job \\S+ (?:is running|succeeded|failed|cancelled)\\b',
    'Started in the background as job',
    '\\[(?:Left out of this result:|The rest of the text is left out:)',
  ].join('|')})`,
);

/** What those lines begin with, and those below. */
const starters = [
  ...['Tokens', 'Context', 'Left out', 'Limits', 'Session', 'This exchange', 'Error', 'CLI operation', 'Gemini gave'],
  ...['Gemini had', 'Said ', 'The newest', 'What to do', 'Tried', 'Text so far', 'Job ', 'Started in', 'Model'],
  ...['Note', 'Warning', 'WARNING', '[', '-', '='],
  ...['Work', 'Changed', 'Also changed', 'Commands', 'Called', 'Refused', 'Asked', 'Undo', 'Diff'],
];

/** What we say in brackets, before a text or after it. */
const inBrackets =
  /^\[\s*(?:warning|shown|characters \d|nothing there|the answer |found (?:[\d,]+ time|nowhere)|(?:response )?truncated)\b/i;

/** Lines that are common in any text, and ours where they follow a rule or another line of ours. */
const inFooter =
  /^(?:Model|Tokens|Context|Left out|Limits|Note|Session|Warning|WARNING|Work|Changed|Also changed|Commands|Called|Refused|Asked|Undo|Diff)\b[^:]{0,40}:/;

const rule = /^[-_*=](?:\s*[-_*=])+$/;

export type LineKind =
  /** Taken for ours wherever it is. */
  | 'ours'
  /** Taken for ours in a footer. */
  | 'label'
  /** Taken for ours in a list of ours. */
  | 'item'
  /** What a footer begins with. */
  | 'rule'
  | 'blank'
  | 'other';

/**
 * What the beginning of a line, at most `lineHeadCharacters` of it, would be taken for if we had written it. Look-alikes count:
 * full-width letters, twins in other scripts, other dashes, marks of Markdown before it.
 */
export function kindOfLine(head: string): LineKind {
  const trimmed = head.trim();
  if (trimmed === '') {
    return 'blank';
  }
  return mayBeOurs(trimmed) ? judge(trimmed) : 'other';
}

/**
 * Whether a line that begins so, and of which more may come, may still become one of ours. Beginnings of most lines say at once
 * that they do not.
 */
export function mayBecomeOurs(head: string): boolean {
  const plain = isAscii.test(head) ? head : foldTwins(head);
  const words = plain.replace(/^[*_`#~\s]+/, '');
  return words === '' || starters.some((starter) => starter.startsWith(words) || words.startsWith(starter));
}

function judge(trimmed: string): LineKind {
  const plain = isAscii.test(trimmed) ? trimmed : foldTwins(trimmed);
  if (rule.test(plain)) {
    return 'rule';
  }
  const words = plain.replace(/^[*_`#~\s]+/, '');
  if (anywhere.test(words) || inBrackets.test(words)) {
    return 'ours';
  }
  if (inFooter.test(words)) {
    return 'label';
  }
  return /^-\s/.test(words) ? 'item' : 'other';
}

/** What our lines begin with, and marks of Markdown. */
const firstCharacters = /^[TCLSEGWJMNRAUD[*_`#~=-]/;

/** Whether a character can be the first of ours, by its number: most lines need no more than this. */
const known = new Map<number, boolean>();

function mayBeOurs(trimmed: string): boolean {
  const code = trimmed.codePointAt(0) ?? 0;
  const isKnown = known.get(code);
  if (isKnown !== undefined) {
    return isKnown;
  }
  const mayBe = firstCharacters.test(foldTwins(String.fromCodePoint(code)));
  known.set(code, mayBe);
  return mayBe;
}

const isAscii = /^[\t -~]*$/;

/** A text with letters that look like others of ASCII as those, and every dash as `-`. */
export function foldTwins(head: string): string {
  let folded = '';
  for (const character of head) {
    folded += foldTwin(character);
  }
  return folded;
}

/** Letters of a text come again and again. */
const folds = new Map<string, string>();

const maxFolds = 10_000;

function foldTwin(character: string): string {
  const known = folds.get(character);
  if (known !== undefined) {
    return known;
  }
  const plain = character.normalize('NFKC').replace(dash, '-');
  const folded = twins[plain] ?? plain;
  if (folds.size < maxFolds) {
    folds.set(character, folded);
  }
  return folded;
}
