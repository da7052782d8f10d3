type Reading = Readonly<Record<string, number | readonly number[]>>;

type NamesIn<Taken> = Taken extends unknown ? keyof Taken & string : never;

type FiguresOf<Measure extends () => Promise<Reading>> = Readonly<
  Record<NamesIn<Awaited<ReturnType<Measure>>>, readonly number[]>
>;

/**
 * Measures several things in turn, round by round, so that a busy moment of the machine affects all of them alike. One extra round, or
 * `roundsBefore`, comes first and does not count, so that neither side pays for cold caches. Resolves to all figures by name.
 */
export function inTurns<Measure extends () => Promise<Reading>>(
  rounds: number,
  measures: readonly Measure[],
  roundsBefore?: number,
): Promise<FiguresOf<Measure>>;
export async function inTurns(
  rounds: number,
  measures: readonly (() => Promise<Reading>)[],
  roundsBefore = 1,
): Promise<Readonly<Record<string, readonly number[]>>> {
  const figures: Record<string, number[]> = {};
  for (let round = -roundsBefore; round < rounds; round += 1) {
    for (const measure of measures) {
      for (const [name, taken] of Object.entries(await measure())) {
        figures[name] ??= [];
        figures[name].push(...(round < 0 ? [] : [taken].flat()));
      }
    }
  }
  return figures;
}

/** Resolves to the duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

/** Makes `count` calls, one after the other. Resolves to their results. */
export async function repeat<Result>(count: number, call: () => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  while (results.length < count) {
    results.push(await call());
  }
  return results;
}

/** The middle one, or the mean of the two in the middle. Throws a `RangeError` for no figures. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return (at(sorted, Math.floor(sorted.length / 2)) + at(sorted, Math.floor((sorted.length - 1) / 2))) / 2;
}

/** The figure that this share of all figures does not exceed. Throws a `RangeError` if there are no figures. */
export function quantile(figures: readonly number[], part: number): number {
  return at(
    figures.toSorted((a, b) => a - b),
    Math.ceil(part * figures.length) - 1,
  );
}

function at(sorted: readonly number[], index: number): number {
  const figure = sorted[index];
  if (figure === undefined) {
    throw new RangeError('Nothing was measured');
  }
  return figure;
}
