import { compileNamePattern, NameRun, type State } from './name-automaton.ts';
import { countElements, literalTexts, type NamePattern } from './name-pattern.ts';

/** Whether a name matches. */
export type NameTest = (name: string) => boolean;

export type NameMatcher = {
  readonly matches: NameTest;
  /** The worst-case cost of one match, in comparisons of two short texts. Limits apply to sums of costs. */
  readonly cost: number;
};

/** The cost of one pattern element over a name of 255 characters, measured in comparisons. */
const costPerElement = 8;

type MatcherOptions = {
  /** Whether wildcards match a leading dot: true for ignore files, false for glob patterns. */
  readonly matchesDotfiles: boolean;
};

/**
 * Matches one name without backtracking.
 *
 * Compiling to a regular expression, as picomatch, minimatch and `ignore` do, lets anyone who writes a pattern or commits a
 * .gitignore stop the process for minutes: with `*a` thirty times, or with `/a/` after `**` twenty times.
 */
export function createNameMatcher(pattern: NamePattern, { matchesDotfiles }: MatcherOptions): NameMatcher {
  const matchesAffix = createAffixTest(pattern);
  let firstState: State | null = null;
  return {
    matches: (name) => {
      const isHidden = !matchesDotfiles && name.startsWith('.');
      if (matchesAffix !== null && !isHidden) {
        return matchesAffix(name);
      }
      firstState ??= compileNamePattern(pattern);
      return new NameRun(name, isHidden ? 1 : 0).accepts(firstState);
    },
    cost: matchesAffix === null && canRepeat(pattern) ? costPerElement * countElements(pattern) : 1,
  };
}

/** Whether the pattern may take more steps than it has elements. */
function canRepeat(pattern: NamePattern): boolean {
  return pattern.some(
    (element) =>
      element.kind === 'run' ||
      (element.kind === 'group' &&
        (element.repeats === 'any' ||
          element.repeats === 'some' ||
          element.repeats === 'none' ||
          element.alternatives.some(canRepeat))),
  );
}

/** A fast test for the shapes of nearly all patterns: `name`, `*`, `*.{ts,tsx}`, `test-*`. Valid for names without a leading dot. */
function createAffixTest(pattern: NamePattern): NameTest | null {
  const names = literalTexts(pattern);
  if (names !== null) {
    return (name) => names.includes(name);
  }
  const suffixes = pattern[0]?.kind === 'run' ? literalTexts(pattern.slice(1)) : null;
  if (suffixes !== null) {
    return (name) => suffixes.some((suffix) => name.endsWith(suffix));
  }
  const prefixes = pattern.at(-1)?.kind === 'run' ? literalTexts(pattern.slice(0, -1)) : null;
  return prefixes === null ? null : (name) => prefixes.some((prefix) => name.startsWith(prefix));
}
