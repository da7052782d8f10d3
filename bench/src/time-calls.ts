import type { Reading } from './interleave.ts';
import type { Series } from './series.ts';

/** Does something so many times, one after the other, and gives each time that it took to a series. */
export async function timeCalls(
  series: Series,
  calls: number,
  call: () => Promise<unknown>,
): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (let done = 0; done < calls; done += 1) {
    const startedAt = performance.now();
    await call();
    readings.push({ series, figure: performance.now() - startedAt });
  }
  return readings;
}
