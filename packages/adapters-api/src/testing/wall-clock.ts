import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@gemini-mcp/core';

/** The time of the machine, for tests whose servers use the real time. */
export const wallClock: Clock = {
  now: () => Date.now(),
  sleep: (durationMs, signal) => delay(durationMs, undefined, { signal }),
};
