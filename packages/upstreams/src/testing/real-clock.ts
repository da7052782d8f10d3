import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '@gemini-mcp/core';

/** The machine's clock, for servers that are real programs: fake time does not pass for them. */
export class RealClock implements Clock {
  now(): number {
    return Date.now();
  }

  async sleep(durationMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (durationMs > 0) {
      await delay(Math.min(durationMs, 2_147_483_647), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
