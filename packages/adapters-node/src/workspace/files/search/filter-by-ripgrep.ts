import { containCommand } from '../../../processes/contained-command.ts';
import { findSystemProgram } from '../../../processes/programs/find-system-program.ts';
import { runProgram } from '../../../processes/run-program.ts';

export type RipgrepFilter = {
  /** Keeps a file that contains one of them. */
  readonly texts: readonly string[];
  readonly ignoresCase: boolean;
  readonly paths: readonly string[];
};

/** Reading fewer files is faster than starting a program. */
const minFiles = 200;

/** The arguments of one start: systems accept some 2 MB of them, and `runProgram` keeps this much output. */
const maxBatchBytes = 524_288;
const timeoutMs = 20_000;

/**
 * Uses ripgrep to find the files that contain one of the texts, so that the others need not be read. Passes only names that were found
 * here, and forwards nothing that it reads. Resolves to those files and the ones that it could not judge; to null without ripgrep, or if it
 * is not worth starting. Never rejects.
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
    // Neither the user's settings nor ignore files: the files to search are decided already.
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
 * Texts such that every match of a regular expression contains at least one of them, derived from its source: one for each top-level
 * alternative. Null if they cannot be derived. When in doubt null: a misread source would hide matches.
 */
export function requiredTexts(source: string): readonly string[] | null {
  const branches = namesCharacters.test(source) ? null : splitBranches(source);
  const texts = branches?.map((branch) => longestText(branch));
  return texts?.every((text) => text !== undefined && text.length >= minLength) === true
    ? texts.filter((text) => text !== undefined)
    : null;
}

/** Escapes that are followed by more than one letter. */
const namesCharacters = /\\[0-9uxcpPk]/;

/** Shorter texts occur in every file. */
const minLength = 2;

/** One element of an expression: a character that must occur, or anything else. */
type Token = { readonly text: string | null; readonly isOptional: boolean };

/** A token of the source: an escape, a class, the start of a group, its end, a quantifier, or any other character. */
const tokens =
  /\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|[\s\S]/gu;

/** The top-level alternatives as tokens; a group's contents belong to its alternative. Null if a group is not closed. */
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
  // A repeated element ends a text: `ab+c` contains `ab`, but not `abc`.
  branch.push({ text: before?.text ?? null, isOptional }, { text: null, isOptional: false });
}

/** The character that a token matches; null for a token that matches several, or none. */
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
