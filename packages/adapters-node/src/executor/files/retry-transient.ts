import type { Clock, StepResult } from '@gemini-mcp/core';

/** What passes by itself: too little of something, a file that is run or written at this moment. */
const transient: ReadonlySet<string> = new Set([
  'EAGAIN',
  'EMFILE',
  'ENFILE',
  'ETXTBSY',
  'EINTR',
  'its size changed while it was being read',
  'moved while it was being opened',
]);

/** Whether what the system said, a code mostly, passes by itself. */
export function isTransient(detail: string): boolean {
  return transient.has(detail);
}

/** Longer waits are for the model to decide. */
const waitsMs = [20, 80, 320];

/** Takes a step again, thrice at most, as long as it is refused for what passes by itself. */
export async function retryTransient<Value>(
  clock: Clock,
  step: () => Promise<StepResult<Value>>,
  signal: AbortSignal,
): Promise<StepResult<Value>> {
  let result = await step();
  for (const waitMs of waitsMs) {
    if (result.ok || !result.refusal.retriable || signal.aborted) {
      return result;
    }
    await clock.sleep(waitMs, signal).catch(() => undefined);
    result = signal.aborted ? result : await step();
  }
  return result;
}
