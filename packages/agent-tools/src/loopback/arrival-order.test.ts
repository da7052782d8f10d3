import { FakeClock } from '@gemini-mcp/core/testing';
import { describe, expect, it } from 'vitest';

import { ArrivalOrder } from './run-tool-server.ts';

const { signal } = new AbortController();

/** A client that has counted to 1 so far, and the numbers whose turn has come. */
function setUp(): {
  readonly clock: FakeClock;
  readonly order: ArrivalOrder;
  readonly wait: (number: number) => void;
  readonly turns: number[];
} {
  const clock = new FakeClock();
  const order = new ArrivalOrder({ clock });
  const turns: number[] = [];
  order.begin(0);
  const wait = (number: number): void => {
    order.claim(number);
    void order.turnOf(number, signal).then(() => turns.push(number));
  };
  return { clock, order, wait, turns };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ArrivalOrder', () => {
  it('lets requests pass in the order of their numbers', async () => {
    const { order, wait, turns } = setUp();
    [4, 3, 2].forEach(wait);
    await settled();
    expect(turns).toEqual([]);
    order.claim(1);
    order.arrive(1);
    await settled();
    expect(turns).toEqual([2, 3, 4]);
  });

  it('gives up on a missing request, and accepts it once if it arrives later', async () => {
    const { clock, order, wait, turns } = setUp();
    [3, 2].forEach(wait);
    await settled();
    await clock.advance(100);
    await settled();
    expect(turns).toEqual([2, 3]);
    expect([order.claim(1), order.claim(1)]).toEqual([true, false]);
  });

  it('accepts each number once', () => {
    const { order } = setUp();
    expect([order.claim(0), order.claim(1), order.claim(1)]).toEqual([false, true, false]);
    order.arrive(1);
    expect(order.claim(1)).toBe(false);
  });

  it('rejects a number that is far ahead', () => {
    const { order } = setUp();
    expect([order.claim(1_001), order.claim(1_002), order.claim(Number.MAX_SAFE_INTEGER)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('restarts with a client that does', () => {
    const { order } = setUp();
    order.claim(1);
    order.begin(0);
    expect(order.claim(1)).toBe(true);
  });
});
