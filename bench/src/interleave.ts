import type { Series } from './series.ts';

/** Measures once; says which figure belongs to which series. */
export type Measure = () => Promise<readonly Reading[]>;

export type Reading = {
  readonly series: Series;
  readonly figure: number;
};

/**
 * Measures several things in turn, round by round, so that a busy moment of the machine falls on all of them alike. One
 * more round comes first and does not count, so that neither side pays for cold caches of the disk.
 */
export async function interleave(rounds: number, measures: readonly Measure[]): Promise<void> {
  for (let round = 0; round <= rounds; round += 1) {
    for (const measure of measures) {
      const readings = await measure();
      for (const { series, figure } of round === 0 ? [] : readings) {
        series.add(figure);
      }
    }
  }
}
