import { describe, expect, it } from 'vitest';
import { ReadingPace } from './reading-pace.ts';

describe('ReadingPace', () => {
  it('UPSTREAM-M2: servers that write without end share one part of the time: the more of them rest, the longer', async () => {
    const restsMs: number[] = [];
    let nowMs = 0;
    let wake = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const sleep = (durationMs: number): Promise<void> => {
      restsMs.push(durationMs);
      return woken;
    };
    const paces = Array.from({ length: 3 }, () => new ReadingPace({ now: () => nowMs, sleep }));
    const rests = paces.map((pace) => {
      const begunAtMs = nowMs;
      nowMs += 11;
      pace.count(begunAtMs);
      expect(pace.isSpent).toBe(true);
      return pace.rest();
    });
    expect(restsMs).toEqual([44, 88, 132]);
    nowMs += 132;
    wake();
    await Promise.all(rests);
    expect(paces.map(({ isSpent }) => isSpent)).toEqual([false, false, false]);
  });

  it('rests once for all streams of one server', async () => {
    const restsMs: number[] = [];
    let nowMs = 0;
    const pace = new ReadingPace({ now: () => nowMs, sleep: async (durationMs) => void restsMs.push(durationMs) });
    nowMs = 11;
    pace.count(0);
    await Promise.all(Array.from({ length: 50 }, () => pace.rest()));
    expect(restsMs).toEqual([44]);
    await pace.rest();
    expect(restsMs).toHaveLength(2);
  });
});
