import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandWord, PatternPiece } from '@gemini-mcp/core';
import { HeldDirectory } from '../../../disk/held-directory.ts';
import { chooseDescriptorProof } from '../../../disk/open-verified.ts';
import { isSensitivePath } from '../../../disk/sensitive-names.ts';

export type ExpandWordOptions = {
  readonly word: CommandWord;
  /** The base of relative patterns: a real path. */
  readonly directory: string;
  readonly isInside: (path: string) => boolean;
  /** Real paths of held names: no pattern matches them. */
  readonly heldPaths: ReadonlySet<string>;
};

/** More names than a command accepts. */
const maxNames = 10_000;

export type TooManyNames = { readonly tooMany: true };

/**
 * Expands a word of a plan as Bash does: into the names that a pattern matches, in byte order, hidden ones only if the pattern begins with
 * a dot; into the pattern itself if it matches nothing. Inspects nothing outside the roots.
 */
export async function expandWord(options: ExpandWordOptions): Promise<readonly string[] | TooManyNames> {
  const { word, directory } = options;
  if (word.type === 'literal') {
    return [word.text];
  }
  const steps = stepsOf(word.pieces);
  const isAbsolute = steps[0]?.pieces.length === 0;
  let found: readonly string[] = [isAbsolute ? '/' : ''];
  for (const step of isAbsolute ? steps.slice(1) : steps) {
    found = await takeSteps(options, found, step);
  }
  if (found.length > maxNames) {
    return { tooMany: true };
  }
  const shown = await keepThere(found, directory);
  return shown.length === 0 ? [textOf(word.pieces)] : shown.toSorted(byBytes);
}

/** One name of a path; `isPattern` says whether it must be searched for. */
type Step = { readonly pieces: readonly PatternPiece[]; readonly isPattern: boolean };

function stepsOf(pieces: readonly PatternPiece[]): readonly Step[] {
  const steps: PatternPiece[][] = [[]];
  for (const piece of pieces) {
    const texts = piece.type === 'literal' ? piece.text.split('/') : [null];
    texts.forEach((text, index) => {
      if (index > 0) {
        steps.push([]);
      }
      if (text !== '') {
        steps.at(-1)?.push(text === null ? piece : { type: 'literal', text });
      }
    });
  }
  return steps.map((step) => ({ pieces: step, isPattern: step.some(({ type }) => type !== 'literal') }));
}

/** Stops at the first name above the limit. */
async function takeSteps(
  options: ExpandWordOptions,
  before: readonly string[],
  step: Step,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of before) {
    found.push(...(await takeStep(options, path, step)));
    if (found.length > maxNames) {
      return found.slice(0, maxNames + 1);
    }
  }
  return found;
}

async function takeStep(options: ExpandWordOptions, before: string, step: Step): Promise<readonly string[]> {
  const append = (name: string): string =>
    before === '' || before.endsWith('/') ? before + name : `${before}/${name}`;
  if (!step.isPattern) {
    return [append(textOf(step.pieces))];
  }
  const names = await namesIn(options, before);
  const [first] = step.pieces;
  const showsHidden = first?.type === 'literal' && first.text.startsWith('.');
  return names
    .filter((name) => (showsHidden || !name.startsWith('.')) && matchesPattern(step.pieces, name))
    .map(append);
}

async function namesIn(
  { directory, isInside, heldPaths }: ExpandWordOptions,
  path: string,
): Promise<readonly string[]> {
  try {
    const real = await realpath(path.startsWith('/') ? path : join(directory, path));
    if (isSensitivePath(real)) {
      return [];
    }
    const names = await listHeld(real, isInside);
    return names.filter((name) => !name.includes('\uFFFD') && !heldPaths.has(join(real, name)));
  } catch {
    return [];
  }
}

/** Lists a directory that stays open meanwhile: a link that takes its place has no effect. */
async function listHeld(path: string, contains: (path: string) => boolean): Promise<readonly string[]> {
  const held = HeldDirectory.open({ path, roots: { contains }, proof: chooseDescriptorProof() });
  if (!(held instanceof HeldDirectory)) {
    return [];
  }
  try {
    return await readdir(held.pathOf(path));
  } finally {
    held.release();
  }
}

async function keepThere(paths: readonly string[], directory: string): Promise<readonly string[]> {
  const kept: string[] = [];
  for (const path of paths) {
    const isThere = await lstat(path.startsWith('/') ? path : join(directory, path)).catch(() => null);
    kept.push(...(isThere === null ? [] : [path]));
  }
  return kept;
}

function textOf(pieces: readonly PatternPiece[]): string {
  const signs = { any: '*', one: '?' } as const;
  return pieces.map((piece) => (piece.type === 'literal' ? piece.text : signs[piece.type])).join('');
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Whether a name matches a pattern, in time at most proportional to the product of their lengths. */
function matchesPattern(pieces: readonly PatternPiece[], name: string): boolean {
  const signs = pieces.flatMap(signsOf);
  const characters = Array.from(name);
  let [sign, character] = [0, 0];
  // Where to continue if the part after the last `*` does not match: the `*` then takes one character more.
  let retry: { readonly sign: number; character: number } | null = null;
  while (character < characters.length) {
    const wanted = signs[sign];
    if (wanted?.type === 'any') {
      retry = { sign: sign + 1, character };
      sign += 1;
    } else if (wanted?.type === 'one' || (wanted?.type === 'is' && wanted.character === characters[character])) {
      sign += 1;
      character += 1;
    } else if (retry === null) {
      return false;
    } else {
      retry.character += 1;
      sign = retry.sign;
      character = retry.character;
    }
  }
  return signs.slice(sign).every(({ type }) => type === 'any');
}

type Sign = { readonly type: 'any' | 'one' } | { readonly type: 'is'; readonly character: string };

function signsOf(piece: PatternPiece): readonly Sign[] {
  return piece.type === 'literal'
    ? Array.from(piece.text, (character) => ({ type: 'is' as const, character }))
    : [{ type: piece.type }];
}
