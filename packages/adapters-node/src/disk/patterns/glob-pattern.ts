import { afterAtom, scanBraces } from './brace-scan.ts';
import { createNameMatcher } from './name-matcher.ts';
import { literalTexts, type NamePattern } from './name-pattern.ts';
import { type ParsedName, parseNamePattern } from './parse-name-pattern.ts';
import { costOfProgram, type PathProgram } from './path-program.ts';

/** Each branch is searched separately. */
const maxBranches = 64;

/** One alternative of a pattern: a program for the paths below a directory. */
export type GlobBranch = {
  /** The literal prefix before the first wildcard, with `/` as separator; empty for the working directory. */
  readonly directory: string;
  readonly program: PathProgram;
};

export type GlobPattern = {
  readonly branches: readonly GlobBranch[];
  /** See `NameMatcher`. */
  readonly cost: number;
};

export type ParsedGlob =
  | { readonly ok: true; readonly pattern: GlobPattern }
  /** `problem` names in a few words the rule that the pattern breaks. */
  | { readonly ok: false; readonly problem: string };

const maxLength = 4_096;
/** Finding the end of each bracket scans the rest of the pattern. */
const maxBrackets = 128;

/**
 * Parses `*`, `?`, `[a-z]`, `**`, `{a,b}`, `{1..9}` and `@(a|b)`, `?()`, `*()`, `+()`, `!()` as bash and picomatch do. Where those two
 * differ, bash wins: parentheses without a preceding sign are literal. Wildcards do not match a leading dot. A pattern that could take long
 * is refused, never shortened.
 */
export function parseGlobPattern(source: string): ParsedGlob {
  const problem = findProblem(source);
  if (problem !== null) {
    return { ok: false, problem };
  }
  const texts = expandPathBraces(source);
  if (texts === null) {
    return { ok: false, problem: 'braces that stand for more than 64 patterns' };
  }
  const branches: GlobBranch[] = [];
  for (const text of texts) {
    const parsed = parseBranch(text);
    if (!parsed.ok) {
      return parsed;
    }
    branches.push(parsed.value);
  }
  const cost = branches.reduce((sum, { program }) => sum + costOfProgram(program), 0);
  return { ok: true, pattern: { branches, cost } };
}

function findProblem(source: string): string | null {
  if (source === '') {
    return 'an empty pattern';
  }
  if (source.startsWith('!')) {
    return 'a leading "!"';
  }
  if (source.length > maxLength) {
    return `longer than ${maxLength} characters`;
  }
  return (source.match(/[[{(]/g)?.length ?? 0) > maxBrackets ? `more than ${maxBrackets} brackets` : null;
}

type Parsed<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

type Segment = NamePattern | '**';

function parseBranch(text: string): Parsed<GlobBranch> {
  const parsed = parseSegments(text);
  if (!parsed.ok) {
    return parsed;
  }
  const segments = parsed.value;
  const literals = segments.map(literalOf);
  const firstWildcard = literals.indexOf(null);
  // The last name is always searched for, even if literal.
  const cut = firstWildcard === -1 ? segments.length - 1 : firstWildcard;
  if (segments.length === 0 || literals.includes('..', cut)) {
    return {
      ok: false,
      problem: segments.length === 0 ? 'it does not name a file' : '".." after a wildcard or at the end',
    };
  }
  const directory = (text.startsWith('/') ? '/' : '') + literals.slice(0, cut).join('/');
  const program = segments
    .slice(cut)
    .map((segment) => (segment === '**' ? segment : createNameMatcher(segment, { matchesDotfiles: false })));
  return { ok: true, value: { directory, program } };
}

function parseSegments(text: string): Parsed<readonly Segment[]> {
  const segments: Segment[] = [];
  for (const part of splitSegments(text)) {
    const parsed: ParsedName | null = part === '**' ? null : parseNamePattern(part, 'glob');
    if (parsed?.ok === false) {
      return parsed;
    }
    const segment = parsed?.pattern ?? '**';
    // A repeated `**` adds nothing.
    if (segment !== '**' || segments.at(-1) !== '**') {
      segments.push(segment);
    }
  }
  return { ok: true, value: segments };
}

function literalOf(segment: Segment): string | null {
  const isLiteral = segment !== '**' && segment.every(({ kind }) => kind === 'literal');
  return isLiteral ? (literalTexts(segment)?.[0] ?? null) : null;
}

/** Splits at every separator, even an escaped one. Empty segments and `.` are dropped. */
function splitSegments(text: string): readonly string[] {
  return text
    .replace(/\\(.)/gsu, (pair, escaped) => (escaped === '/' ? '/' : pair))
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');
}

/**
 * Rewrites a pattern whose braces contain separators as several patterns without them: `{a/b,c}/d` becomes `a/b/d` and `c/d`. Other braces
 * stay. Returns null for more than 64 patterns.
 */
function expandPathBraces(pattern: string): readonly string[] | null {
  const expanded: string[] = [];
  const waiting = [pattern];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const parts = expandFirst(Array.from(next));
    if (parts === null) {
      expanded.push(next);
    } else {
      waiting.unshift(...parts);
    }
    if (expanded.length + waiting.length > maxBranches) {
      return null;
    }
  }
  return expanded;
}

function expandFirst(characters: readonly string[]): readonly string[] | null {
  for (let at = 0; at < characters.length; at = afterAtom(characters, at)) {
    const braces = characters[at] === '{' ? scanBraces(characters, at) : null;
    if (braces !== null && braces.parts.length > 1 && braces.parts.some((part) => part.includes('/'))) {
      const before = characters.slice(0, at).join('');
      const after = characters.slice(braces.close + 1).join('');
      return braces.parts.map((part) => before + part + after);
    }
  }
  return null;
}
