import type { NameMatcher, NameTest } from './name-matcher.ts';

/** A pattern over a path: a matcher for each segment, or `**` for any number of them. */
export type PathProgram = readonly (NameMatcher | '**')[];

/** A path of 4,096 characters has many places at which `**` may end. */
const costOfSkip = 16;

/** The sum of what its segments cost, in the units of `NameMatcher`. */
export function costOfProgram(program: PathProgram): number {
  return program.reduce((sum, segment) => sum + (segment === '**' ? costOfSkip : segment.cost), 0);
}

/** How far a path has come in a program: indices of the segments that may match next. */
export type ProgramPlaces = readonly number[];

export type ProgramStep = {
  /** Whether the path that ends with this name matches the whole program. */
  readonly matches: boolean;
  /** Where names below it go on. Empty when nothing below can match. */
  readonly places: ProgramPlaces;
};

/** The places at the beginning of a program. */
export function startProgram(program: PathProgram): ProgramPlaces {
  return withSkips(program, new Set([0]));
}

/** Takes one more name of a path. `**` passes over a name only when `passesOver` says so. */
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

/** `**` also stands for no name at all, unless it comes last: `a/**` is not `a`. */
function withSkips(program: PathProgram, places: Set<number>): ProgramPlaces {
  for (const place of places) {
    if (program[place] === '**') {
      places.add(place + 1);
    }
  }
  places.delete(program.length);
  return [...places];
}
