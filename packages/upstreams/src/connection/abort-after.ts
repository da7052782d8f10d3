import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';

/** Returns a signal that aborts after `durationMs` by the clock. Call `cancel` when done, so that no timer stays. */
export function abortAfter(
  clock: Clock,
  durationMs: number,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const late = new AbortController();
  const over = new AbortController();
  void sleepUnlessAborted(clock, durationMs, over.signal).then((isOver) => isOver && late.abort());
  return { signal: late.signal, cancel: () => over.abort() };
}
