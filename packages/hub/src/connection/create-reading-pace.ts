import { setTimeout as delay } from 'node:timers/promises';
import { ReadingPace } from '@gemini-mcp/core/internal';

/** A pace by the time of the machine, whatever the clock of the hub says. */
export function createReadingPace(): ReadingPace {
  return new ReadingPace({ now: () => performance.now(), sleep: (durationMs) => delay(durationMs) });
}
