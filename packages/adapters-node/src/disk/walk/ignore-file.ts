import { createNameMatcher, type NameMatcher, type NameTest } from '../patterns/name-matcher.ts';
import { parseNamePattern } from '../patterns/parse-name-pattern.ts';
import { costOfProgram, type PathProgram, startMatching, stepProgram } from '../patterns/path-program.ts';

/** One line of an ignore file. */
export type IgnoreRule = {
  /** A line with a leading `!` re-includes names that earlier lines ignored. */
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** A line without a separator matches a name at any depth, others a path from the file's own directory. */
  readonly anchored: boolean;
  readonly program: PathProgram;
};

export type IgnoreFile = {
  readonly rules: readonly IgnoreRule[];
  /** See `NameMatcher`. */
  readonly cost: number;
};

/** Keeps one decision within some tens of milliseconds, for names of up to 255 characters. */
export const maxIgnoreCost = 8_192;

/**
 * Parses a file in gitignore(5) syntax. Drops malformed lines, as git does, and lines longer than any path. Stops reading once the cost
 * exceeds `maxIgnoreCost`.
 */
export function parseIgnoreFile(text: string): IgnoreFile {
  const rules: IgnoreRule[] = [];
  let cost = 0;
  for (const line of text.replace(/^\uFEFF/, '').split('\n')) {
    const rule = parseLine(line);
    if (rule !== null) {
      rules.push(rule);
      cost += costOfProgram(rule.program);
    }
    if (cost > maxIgnoreCost) {
      break;
    }
  }
  return { rules, cost };
}

const maxLineLength = 4_096;

function parseLine(line: string): IgnoreRule | null {
  const content = trimEnd(line);
  if (content === '' || content.startsWith('#') || content.length > maxLineLength) {
    return null;
  }
  const negated = content.startsWith('!');
  const written = negated ? content.slice(1) : content;
  const directoriesOnly = written.endsWith('/');
  const path = directoriesOnly ? written.slice(0, -1) : written;
  // `**/name` means the same as `name`, which is far quicker to decide.
  const inner = path.replace(/^(?:\*\*\/)+(?=[^/]+$)/, '');
  const anchored = inner.includes('/');
  const program = parseProgram((inner.startsWith('/') ? inner.slice(1) : inner).split('/'), anchored);
  return program === null ? null : { negated, directoriesOnly, anchored, program };
}

/** Trailing spaces count only after a backslash. Git strips a carriage return before the line feed. */
function trimEnd(line: string): string {
  const content = line.endsWith('\r') ? line.slice(0, -1) : line;
  let end = content.length;
  while (content[end - 1] === ' ') {
    end -= 1;
  }
  const backslashes = /\\*$/.exec(content.slice(0, end))?.[0].length ?? 0;
  return content.slice(0, backslashes % 2 === 1 ? end + 1 : end);
}

function parseProgram(parts: readonly string[], anchored: boolean): PathProgram | null {
  const program: (NameMatcher | '**')[] = [];
  for (const part of parts) {
    const segment = part === '**' && anchored ? '**' : parseSegment(part);
    if (segment === null) {
      return null;
    }
    if (segment !== '**' || program.at(-1) !== '**') {
      program.push(segment);
    }
  }
  return program;
}

function parseSegment(part: string): NameMatcher | null {
  const parsed = part === '' ? null : parseNamePattern(part, 'ignore');
  return parsed?.ok ? createNameMatcher(parsed.pattern, { matchesDotfiles: true }) : null;
}

/** A file or directory that ignore rules apply to. */
export type IgnoreSubject = {
  /** Its path as names, relative to a directory of the caller's choice. */
  readonly names: readonly string[];
  readonly isDirectory: boolean;
};

/**
 * The rules' decision about a subject below the directory of the first `depth` names; null if no rule matches. Does not check whether a
 * parent directory is ignored: a walk does not enter those.
 */
export function decideByRules(rules: readonly IgnoreRule[], depth: number, subject: IgnoreSubject): boolean | null {
  for (let index = rules.length - 1; index >= 0; index -= 1) {
    const rule = rules[index];
    if (rule !== undefined && appliesTo(rule, depth, subject)) {
      return !rule.negated;
    }
  }
  return null;
}

const anyName: NameTest = () => true;

function appliesTo(rule: IgnoreRule, depth: number, { names, isDirectory }: IgnoreSubject): boolean {
  if (rule.directoriesOnly && !isDirectory) {
    return false;
  }
  const first = rule.anchored ? depth : names.length - 1;
  return mayBegin(rule.program, names[first] ?? '') && matchesPath(rule.program, names.slice(first));
}

/** A quick test first: it settles most rules. */
function mayBegin([first]: PathProgram, name: string): boolean {
  return first === undefined || first === '**' || first.matches(name);
}

function matchesPath(program: PathProgram, path: readonly string[]): boolean {
  let places = startMatching(program);
  for (const [index, name] of path.entries()) {
    const step = stepProgram(program, places, name, anyName);
    if (step.matches && index === path.length - 1) {
      return true;
    }
    places = step.places;
    if (places.length === 0) {
      return false;
    }
  }
  return false;
}
