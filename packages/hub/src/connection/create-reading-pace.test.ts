import { describe, expect, it } from 'vitest';
import { createReadingPace } from './create-reading-pace.ts';

const pieceMs = 10;
const pieces = 5;

/** Resolves to the milliseconds that reading took. */
async function readFlood(): Promise<number> {
  const pace = createReadingPace();
  let workedMs = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const begunAtMs = performance.now();
    while (performance.now() <= begunAtMs + pieceMs) {
      // What a reader does with a piece.
    }
    workedMs += performance.now() - begunAtMs;
    pace.count(begunAtMs);
    await pace.rest();
  }
  return workedMs;
}

describe('createReadingPace()', () => {
  it.each([1, 6])(
    'UPSTREAM-M2: servers that write without end, %i at a time, leave most of the time to others',
    async (servers) => {
      const begunAtMs = performance.now();
      const worked = await Promise.all(Array.from({ length: servers }, readFlood));
      const workedMs = worked.reduce((sum, ms) => sum + ms, 0);
      expect(workedMs).toBeLessThan((performance.now() - begunAtMs) / 2);
    },
  );
});
