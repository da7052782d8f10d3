import { setTimeout as delay } from 'node:timers/promises';
import { ReadingPace } from '@gemini-mcp/core/internal';

/** A pace by real time, whatever `Clock` is injected. */
export function createReadingPace(): ReadingPace {
  return new ReadingPace({ now: () => performance.now(), sleep: (durationMs) => delay(durationMs) });
}

/** Resolves once the SDK has handled the messages it was just given: ticks run after promise jobs. */
export function untilHandled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
