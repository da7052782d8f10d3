import {
  type CharacterClass,
  countElements,
  type Group,
  literalTexts,
  type NameElement,
  type NamePattern,
} from './name-pattern.ts';

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

/** A state of the automaton. */
type State =
  | { readonly kind: 'accept' }
  | { readonly kind: 'character'; readonly accepts: (character: string) => boolean; readonly next: State }
  /** Continues without consuming a character. The list grows while a loop is being tied. */
  | { readonly kind: 'fork'; readonly nexts: State[] }
  /** Continues only at places where a wildcard may match. */
  | { readonly kind: 'gate'; readonly next: State }
  /** Continues wherever `inner` could not have ended. */
  | { readonly kind: 'none'; readonly inner: State; readonly next: State };

const accept: State = { kind: 'accept' };

/** Compiles a pattern to its first state. */
function compileNamePattern(pattern: NamePattern): State {
  return compileSequence(pattern, accept);
}

function compileSequence(pattern: NamePattern, next: State): State {
  return pattern.reduceRight<State>((following, element) => compileElement(element, following), next);
}

function compileElement(element: NameElement, next: State): State {
  switch (element.kind) {
    case 'literal':
      return { kind: 'character', accepts: (character) => character === element.character, next };
    case 'one':
      return { kind: 'gate', next: { kind: 'character', accepts: () => true, next } };
    case 'class':
      return { kind: 'gate', next: { kind: 'character', accepts: (character) => isInClass(element, character), next } };
    case 'run': {
      const loop: State = { kind: 'fork', nexts: [next] };
      loop.nexts.push({ kind: 'character', accepts: () => true, next: loop });
      return { kind: 'gate', next: loop };
    }
    case 'group':
      return compileGroup(element, next);
  }
}

function compileGroup({ repeats, alternatives }: Group, next: State): State {
  const compileAlternatives = (end: State): State[] => alternatives.map((each) => compileSequence(each, end));
  if (repeats === 'none') {
    return { kind: 'gate', next: { kind: 'none', inner: { kind: 'fork', nexts: compileAlternatives(accept) }, next } };
  }
  if (repeats === 'one' || repeats === 'optional') {
    return { kind: 'fork', nexts: [...compileAlternatives(next), ...(repeats === 'optional' ? [next] : [])] };
  }
  const again: State = { kind: 'fork', nexts: [next] };
  again.nexts.push(...compileAlternatives(again));
  return repeats === 'any' ? again : { kind: 'fork', nexts: compileAlternatives(again) };
}

function isInClass({ negated, ranges }: CharacterClass, character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return ranges.some(([from, to]) => from <= codePoint && codePoint <= to) !== negated;
}

/** One run of an automaton over a name. */
class NameRun {
  readonly #characters: readonly string[];
  readonly #firstOpen: number;
  readonly #known = new Map<State, Map<number, ReadonlySet<number>>>();

  /** Wildcards match nothing before `firstOpen`, not even the empty text. */
  constructor(name: string, firstOpen: number) {
    this.#characters = Array.from(name);
    this.#firstOpen = firstOpen;
  }

  accepts(start: State): boolean {
    return this.#endsOf(start, 0).has(this.#characters.length);
  }

  /**
   * The places where the automaton can end when it begins at `from`. Follows all paths through the name together and visits each pair of
   * place and state once: there is no backtracking.
   */
  #endsOf(start: State, from: number): ReadonlySet<number> {
    const ends = new Set<number>();
    const agenda: Agenda = [];
    enter(agenda, from, start);
    for (let place = from; place <= this.#characters.length; place += 1) {
      // A set also yields items added during its iteration.
      for (const state of agenda[place] ?? []) {
        if (state.kind === 'accept') {
          ends.add(place);
        } else {
          this.#advance(state, place, agenda);
        }
      }
    }
    return ends;
  }

  #advance(state: Exclude<State, { kind: 'accept' }>, place: number, agenda: Agenda): void {
    switch (state.kind) {
      case 'character': {
        const character = this.#characters[place];
        if (character !== undefined && state.accepts(character)) {
          enter(agenda, place + 1, state.next);
        }
        return;
      }
      case 'fork':
        for (const next of state.nexts) {
          enter(agenda, place, next);
        }
        return;
      case 'gate':
        if (place >= this.#firstOpen) {
          enter(agenda, place, state.next);
        }
        return;
      case 'none':
        this.#advanceOverOther(state, place, agenda);
    }
  }

  #advanceOverOther({ inner, next }: Extract<State, { kind: 'none' }>, from: number, agenda: Agenda): void {
    const excluded = this.#rememberedEndsOf(inner, from);
    for (let place = from; place <= this.#characters.length; place += 1) {
      if (!excluded.has(place)) {
        enter(agenda, place, next);
      }
    }
  }

  /** Without memoization, nested negations would multiply. */
  #rememberedEndsOf(start: State, from: number): ReadonlySet<number> {
    const known = this.#known.get(start) ?? new Map<number, ReadonlySet<number>>();
    this.#known.set(start, known);
    const ends = known.get(from) ?? this.#endsOf(start, from);
    known.set(from, ends);
    return ends;
  }
}

/** The states to follow at each place in the name. */
type Agenda = (Set<State> | undefined)[];

function enter(agenda: Agenda, place: number, state: State): void {
  const states = agenda[place] ?? new Set();
  agenda[place] = states;
  states.add(state);
}
