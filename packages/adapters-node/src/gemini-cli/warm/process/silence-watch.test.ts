import { setImmediate as nextTurn } from 'node:timers/promises';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { SilenceWatch } from './acp-process.ts';

let clock: FakeClock;
let pings: (() => void)[];
let silences: number;
let watch: SilenceWatch;

beforeEach(() => {
  clock = new FakeClock();
  pings = [];
  silences = 0;
  watch = new SilenceWatch({
    clock,
    silenceMs: 1_000,
    answerMs: 100,
    ping: () => new Promise<void>((resolve) => pings.push(resolve)),
    onSilent: () => {
      silences += 1;
    },
  });
});

afterEach(() => {
  watch.close();
  expect(clock.sleeping).toBe(0);
});

/** What waits for a turn of the event loop has had it. */
async function advance(durationMs: number): Promise<void> {
  await clock.advance(durationMs);
  await nextTurn();
  await nextTurn();
}

describe('SilenceWatch', () => {
  it('asks only processes that work', async () => {
    await advance(10_000);
    expect({ pings: pings.length, sleeping: clock.sleeping }).toEqual({ pings: 0, sleeping: 0 });
  });

  it('PATTERN-07: asks who has said nothing for a while, and ends who does not answer', async () => {
    watch.begin();
    await advance(999);
    expect(pings).toHaveLength(0);
    await advance(1);
    expect(pings).toHaveLength(1);
    await advance(99);
    expect(silences).toBe(0);
    await advance(1);
    expect(silences).toBe(1);
    await advance(10_000);
    expect({ silences, pings: pings.length }).toEqual({ silences: 1, pings: 1 });
  });

  it('is content with an answer, and asks again after as long a silence', async () => {
    watch.begin();
    await advance(1_000);
    pings[0]?.();
    await advance(999);
    expect(pings).toHaveLength(1);
    await advance(1);
    expect({ silences, pings: pings.length }).toEqual({ silences: 0, pings: 2 });
  });

  it('takes whatever is said for a sign of life', async () => {
    watch.begin();
    await advance(900);
    watch.hear();
    await advance(900);
    expect(pings).toHaveLength(0);
    await advance(100);
    expect(pings).toHaveLength(1);
    watch.hear();
    await advance(100);
    expect(silences).toBe(0);
  });

  it('takes an answer that this process had no time to read until now', async () => {
    watch.begin();
    await advance(1_000);
    await Promise.all([clock.advance(100), nextTurn().then(() => pings[0]?.())]);
    await nextTurn();
    await nextTurn();
    expect(silences).toBe(0);
  });

  it('watches until the last of several ends, and again from the next', async () => {
    watch.begin();
    watch.begin();
    watch.end();
    await advance(1_000);
    expect(pings).toHaveLength(1);
    watch.end();
    await advance(10_000);
    expect({ silences, sleeping: clock.sleeping }).toEqual({ silences: 0, sleeping: 0 });
    watch.begin();
    await advance(1_000);
    expect(pings).toHaveLength(2);
  });

  it('forgets a question when the work ends, even where other work begins at once', async () => {
    watch.begin();
    await advance(1_000);
    watch.end();
    watch.begin();
    await advance(100);
    expect(silences).toBe(0);
    await advance(900);
    expect(pings).toHaveLength(2);
  });

  it('says nothing once it is closed', async () => {
    watch.begin();
    await advance(1_000);
    watch.close();
    await advance(10_000);
    watch.end();
    watch.begin();
    await advance(10_000);
    expect({ silences, pings: pings.length }).toEqual({ silences: 0, pings: 1 });
  });
});
