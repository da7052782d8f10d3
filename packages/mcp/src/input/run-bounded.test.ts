import { describe, expect, it } from 'vitest';
import { runBounded } from './json-schema/compile-json-schema.ts';

/** Lets time pass without using the processor. */
function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('runBounded', () => {
  it('returns what the work returns', () => {
    expect(runBounded(() => 'done', 1_000)).toEqual({ result: 'done' });
  });

  it('stops work that does not end', () => {
    expect(
      runBounded(() => {
        for (;;) {
          // Nothing but time is spent here.
        }
      }, 20),
    ).toBeNull();
  });

  it('returns nothing of work that throws, and does not run it again', () => {
    let runs = 0;
    const work = (): never => {
      runs += 1;
      throw new Error('no');
    };
    expect([runBounded(work, 1_000), runs]).toEqual([null, 1]);
  });

  it('runs work again that got no processor in its time', () => {
    let runs = 0;
    const work = (): string => {
      runs += 1;
      if (runs === 1) {
        pause(500);
      }
      return `run ${runs}`;
    };
    expect(runBounded(work, 100)).toEqual({ result: 'run 2' });
  });

  it('gives up work that never gets any', () => {
    let runs = 0;
    const work = (): void => {
      runs += 1;
      pause(500);
    };
    expect([runBounded(work, 100), runs]).toEqual([null, 4]);
  });
});
