import { containCommand } from '../../../processes/contained-command.ts';
import { findSystemProgram } from '../../../processes/programs/find-system-program.ts';
import { runProgram } from '../../../processes/run-program.ts';

export type RipgrepFilter = {
  /** A file is kept if one of them is in it. */
  readonly texts: readonly string[];
  readonly ignoresCase: boolean;
  readonly paths: readonly string[];
};

/** Fewer files are read sooner than a program is started. */
const minFiles = 200;

/** Of the arguments of one start: systems take some 2 MB of them, and `runProgram` keeps so much of what is printed. */
const maxBatchBytes = 524_288;
const timeoutMs = 20_000;

/**
 * Has ripgrep find the files in which one of some texts is, so that the others need not be read: it is asked by names that were found here, and
 * nothing that it reads is passed on. Resolves to those files, and those of which it could not tell; to null where there is no ripgrep,
 * or where it is not worth starting. Never rejects.
 */
export async function filterByRipgrep(
  { texts, ignoresCase, paths }: RipgrepFilter,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const program = paths.length < minFiles ? null : await findSystemProgram('rg');
  if (program === null) {
    return null;
  }
  const options = [
    // Neither settings of the user's nor ignore files: what is searched was decided before.
    ...['--no-config', '--no-ignore', '--hidden', '--no-messages', '--no-mmap', '--text', '--encoding=none'],
    ...['--files-with-matches', '--null', '--fixed-strings', '--color=never', '--max-columns=0', '--threads=2'],
    ...(ignoresCase ? ['--ignore-case'] : ['--case-sensitive']),
    ...texts.flatMap((text) => ['-e', text]),
  ];
  const found = new Set<string>();
  for (const batch of cutBatches(paths)) {
    const command = { file: program, arguments: [...options, '--', ...batch] };
    for (const path of await runBatch(command, batch, signal)) {
      found.add(path);
    }
  }
  return found;
}

async function runBatch(
  command: { readonly file: string; readonly arguments: readonly string[] },
  batch: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const contained = await containCommand(command);
    const environment = { PATH: '/usr/bin:/bin' };
    const end = await runProgram({ ...contained, environment, timeoutMs, graceMs: 100 }, signal);
    const isKnown = end.ran && (end.exitCode === 0 || end.exitCode === 1);
    return isKnown ? end.stdout.split('\0').filter((path) => path !== '') : batch;
  } catch {
    return batch;
  }
}

function cutBatches(paths: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const path of paths) {
    const bytes = Buffer.byteLength(path) + 1;
    if (bytes > room) {
      batches.push([]);
      room = maxBatchBytes;
    }
    room -= bytes;
    batches.at(-1)?.push(path);
  }
  return batches;
}

/**
 * Texts of which every match of a regular expression has at least one in it, read off its source: one for each of its alternatives at the top.
 * Null where that cannot be told. Rather nothing than too much: what is read wrongly would hide matches.
 */
export function requiredTexts(source: string): readonly string[] | null {
  const branches = namesCharacters.test(source) ? null : splitBranches(source);
  const texts = branches?.map((branch) => longestText(branch));
  return texts?.every((text) => text !== undefined && text.length >= minLength) === true
    ? texts.filter((text) => text !== undefined)
    : null;
}

/** Escapes of which more than one letter follows. */
const namesCharacters = /\\[0-9uxcpPk]/;

/** Shorter ones are in every file. */
const minLength = 2;

/** What one step of an expression is: a character that it has to find, or anything else. */
type Token = { readonly text: string | null; readonly isOptional: boolean };

/** What a token of the source is: an escape, a class, the beginning of a group, its end, a quantifier, any other character. */
const tokens =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;

/** The alternatives at the top, each as its tokens; what is in a group counts as one of them. Null for groups that do not end. */
function splitBranches(source: string): readonly (readonly Token[])[] | null {
  const branches: Token[][] = [[]];
  let depth = 0;
  for (const [token] of source.matchAll(tokens)) {
    depth += depthChange(token);
    if (depth === 0 && token === '|') {
      branches.push([]);
    } else if (depth === 0) {
      addToken(branches.at(-1) ?? [], token);
    }
  }
  return depth === 0 ? branches : null;
}

function depthChange(token: string): number {
  if (token.startsWith('(')) {
    return 1;
  }
  return token === ')' ? -1 : 0;
}

function addToken(branch: Token[], token: string): void {
  if (!/^(?:[*+?]|\{\d)/.test(token)) {
    branch.push({ text: textOf(token), isOptional: false });
    return;
  }
  const before = branch.pop();
  const isOptional = /^(?:[*?]|\{0)/.test(token);
  // What comes once or more often ends a text: `ab+c` has `ab` in it, and not `abc`.
  branch.push({ text: before?.text ?? null, isOptional }, { text: null, isOptional: false });
}

/** The character that a token finds; null for one that finds several, or none. */
function textOf(token: string): string | null {
  if (/^\\[\^$\\.*+?()[\]{}|/]$/.test(token)) {
    return token.slice(1);
  }
  return /^[^\\[.^$(){}\r\n]$/u.test(token) ? token : null;
}

function longestText(branch: readonly Token[]): string | undefined {
  const texts = [''];
  for (const { text, isOptional } of branch) {
    if (text === null || isOptional) {
      texts.push('');
    } else {
      texts.push(`${texts.pop() ?? ''}${text}`);
    }
  }
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}
