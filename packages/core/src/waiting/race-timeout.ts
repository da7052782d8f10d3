import type { Clock } from '../ports/clock.ts';
import { sleepUnlessAborted } from './sleep-unless-aborted.ts';

export type WaitAtMostOptions = {
  /** The event to wait for; must not reject. */
  readonly event: Promise<unknown>;
  readonly durationMs: number;
  readonly clock: Clock;
};

/** Waits for an event for a limited time: resolves to the reason why the wait ended. Leaves no timer and no listener. */
export async function raceTimeout(
  { event, durationMs, clock }: WaitAtMostOptions,
  signal: AbortSignal,
): Promise<'happened' | 'timed-out' | 'aborted'> {
  const patience = new AbortController();
  const endPatience = (): void => patience.abort();
  signal.addEventListener('abort', endPatience, { once: true });
  if (signal.aborted) {
    endPatience();
  }
  const end = await Promise.race([
    event.then(() => 'happened' as const),
    sleepUnlessAborted(clock, durationMs, patience.signal).then((isOver) =>
      isOver ? ('timed-out' as const) : 'aborted',
    ),
  ]);
  signal.removeEventListener('abort', endPatience);
  endPatience();
  return end;
}
