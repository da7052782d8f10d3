import type { NameMatcher, NameTest } from './name-matcher.ts';

/** A pattern over a path: a matcher for each segment, or `**` for any number of segments. */
export type PathProgram = readonly (NameMatcher | '**')[];

/** A path of 4,096 characters has many places where `**` may end. */
const costOfSkip = 16;

/** The total cost of its segments, in the units of `NameMatcher`. */
export function costOfProgram(program: PathProgram): number {
  return program.reduce((sum, segment) => sum + (segment === '**' ? costOfSkip : segment.cost), 0);
}

/** The state of a partly matched path: indices of the segments that may match next. */
export type ProgramPlaces = readonly number[];

export type ProgramStep = {
  /** Whether the path ending with this name matches the whole program. */
  readonly matches: boolean;
  /** The state for names below this one. Empty if nothing below can match. */
  readonly places: ProgramPlaces;
};

/** The initial state of a program. */
export function startMatching(program: PathProgram): ProgramPlaces {
  return withSkips(program, new Set([0]));
}

/** Advances by one more name of a path. `**` skips a name only if `passesOver` allows it. */
export function stepProgram(
  program: PathProgram,
  places: ProgramPlaces,
  name: string,
  passesOver: NameTest,
): ProgramStep {
  const next = new Set<number>();
  let matches = false;
  for (const place of places) {
    const segment = program[place];
    const isLast = place === program.length - 1;
    if (segment === '**' && passesOver(name)) {
      next.add(place);
      matches ||= isLast;
    } else if (segment !== undefined && segment !== '**' && segment.matches(name)) {
      next.add(place + 1);
      matches ||= isLast;
    }
  }
  return { matches, places: withSkips(program, next) };
}

/** `**` also stands for zero names, unless it comes last: `a/**` does not match `a`. */
function withSkips(program: PathProgram, places: Set<number>): ProgramPlaces {
  for (const place of places) {
    if (program[place] === '**') {
      places.add(place + 1);
    }
  }
  places.delete(program.length);
  return [...places];
}
