import type { Measure } from '../interleave.ts';
import type { Series } from '../series.ts';
import type { Caller } from './callers.ts';

/** So many calls come one right after the other before the other side has its turn. */
const callsInTurn = 50;

/** V8 has compiled what a call uses by then. */
const callsBefore = 1_000;

export async function warmUp(callers: readonly Caller[]): Promise<void> {
  for (let call = 0; call < callsBefore; call += 1) {
    for (const caller of callers) {
      await caller();
    }
  }
}

/** One after the other, as a client makes them that waits for each answer. */
export function callsOf(caller: Caller, series: Series): Measure {
  return async () => {
    const readings = [];
    for (let call = 0; call < callsInTurn; call += 1) {
      const startedAt = performance.now();
      await caller();
      readings.push({ series, figure: performance.now() - startedAt });
    }
    return readings;
  };
}
