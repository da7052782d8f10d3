import type { Clock } from '@gemini-mcp/core';

/** Resolves to true after the time, to false as soon as the signal is aborted. */
export function hasSlept(clock: Clock, durationMs: number, signal: AbortSignal): Promise<boolean> {
  return clock.sleep(durationMs, signal).then(
    () => true,
    () => false,
  );
}
