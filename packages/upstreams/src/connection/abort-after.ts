import type { Clock } from '@gemini-mcp/core';
import { sleepUnlessAborted } from '@gemini-mcp/core/internal';

/** A signal that aborts after a time by the clock. Cancel it when it is not needed any more: that leaves no timer. */
export function abortAfter(
  clock: Clock,
  durationMs: number,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const late = new AbortController();
  const over = new AbortController();
  void sleepUnlessAborted(clock, durationMs, over.signal).then((isOver) => isOver && late.abort());
  return { signal: late.signal, cancel: () => over.abort() };
}
