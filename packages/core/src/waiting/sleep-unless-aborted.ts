import type { Clock } from '../ports/clock.ts';
import { aborted, unlessAborted } from './unless-aborted.ts';

/** Resolves to true after the time, or to false as soon as the signal is aborted. Leaves no timer running. */
export async function sleepUnlessAborted(clock: Clock, durationMs: number, signal: AbortSignal): Promise<boolean> {
  return (await unlessAborted(clock.sleep(durationMs, signal), signal)) !== aborted;
}
