import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { QueueTicket } from '../queue/call-queue.ts';
import { waitAtMost } from '../queue/wait-at-most.ts';
import type { OnProgress } from './ask-request.ts';

export type WaitForPlaceOptions = {
  readonly ticket: QueueTicket;
  readonly deadlineAtMs: number;
  readonly clock: Clock;
  readonly onProgress: OnProgress;
};

/**
 * Waits until a call is admitted. Resolves to null when it is, else to why it waits no longer: its time is over, or it was
 * cancelled. The ticket stays the caller's to give back.
 */
export async function waitForPlace(
  { ticket, deadlineAtMs, clock, onProgress }: WaitForPlaceOptions,
  signal: AbortSignal,
): Promise<GeminiFailure | null> {
  if (!ticket.mustWait) {
    return null;
  }
  onProgress({ type: 'queued', ahead: ticket.ahead });
  const event = ticket.admitted;
  switch (await waitAtMost({ event, durationMs: deadlineAtMs - clock.now(), clock }, signal)) {
    case 'happened':
      return null;
    case 'timed-out':
      return { kind: 'timeout' };
    case 'aborted':
      return { kind: 'cancelled' };
  }
}
