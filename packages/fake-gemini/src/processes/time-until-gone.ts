import { setTimeout as delay } from 'node:timers/promises';
import { processesWith } from './processes-with.ts';

const pauseMs = 5;

/** A process that shows neither environment nor arguments is about to become another program. */
const cleanLooks = 3;
const givesUpAfterMs = 30_000;

/**
 * Resolves once no process has the word any more, to how long the last of them lived from now on, in milliseconds; gives up after half a
 * minute. If this process gets no time to look, the result is too small, and never too large: a busy machine cannot fail a test that
 * compares it with a limit.
 */
export async function timeUntilGone(word: string): Promise<number> {
  const startedAtMs = performance.now();
  let seenAtMs = startedAtMs;
  for (let clean = 0; clean < cleanLooks; clean += 1) {
    const lookedAtMs = performance.now();
    if (processesWith(word).length > 0) {
      clean = -1;
      seenAtMs = lookedAtMs;
    }
    if (lookedAtMs - startedAtMs > givesUpAfterMs) {
      break;
    }
    // The process table sends no signal when it changes.
    await delay(pauseMs);
  }
  return seenAtMs - startedAtMs;
}
