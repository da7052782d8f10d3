import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallQueue, QueueTicket } from './call-queue.ts';
import { raceTimeout } from './race-timeout.ts';

export type RunInTurnOptions = {
  /** Without one the work begins at once. */
  readonly queue: CallQueue | undefined;
  readonly owner: string;
  readonly deadlineAtMs: number;
  readonly clock: Clock;
  /** Told once when the work has to wait: `ahead` calls come before it. */
  readonly onQueued: (ahead: number) => void;
};

/** What became of work that was to be done in a place of the queue. */
export type Turn<Result> = {
  /** From when it came until it had its place, or until it waited no longer. */
  readonly waitedMs: number;
} & (
  | { readonly failure: null; readonly result: Result }
  /** It never began: the queue was full, its time was over, or it was cancelled. */
  | { readonly failure: GeminiFailure }
);

/** Does work in a place of the queue, which is free again when the work has ended, however it ended. Rejects where the work does. */
export async function runInTurn<Result>(
  options: RunInTurnOptions,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Turn<Result>> {
  const { queue, owner, clock } = options;
  if (queue === undefined) {
    return { failure: null, result: await work(), waitedMs: 0 };
  }
  const ticket = queue.enter(owner);
  if (ticket === null) {
    return { failure: { kind: 'busy', retryAfterMs: queue.retryAfterMs(owner) }, waitedMs: 0 };
  }
  const enteredAtMs = clock.now();
  let waitedUntilMs = enteredAtMs;
  try {
    const failure = await waitForSlot(ticket, options, signal);
    waitedUntilMs = clock.now();
    const waitedMs = waitedUntilMs - enteredAtMs;
    return failure === null ? { failure, result: await work(), waitedMs } : { failure, waitedMs };
  } finally {
    ticket.leave(clock.now() - waitedUntilMs);
  }
}

/** Resolves to null when the call has its place, else to why it waits no longer. */
async function waitForSlot(
  ticket: QueueTicket,
  { deadlineAtMs, clock, onQueued }: RunInTurnOptions,
  signal: AbortSignal,
): Promise<GeminiFailure | null> {
  if (!ticket.mustWait) {
    return null;
  }
  onQueued(ticket.ahead);
  const event = ticket.admitted;
  switch (await raceTimeout({ event, durationMs: deadlineAtMs - clock.now(), clock }, signal)) {
    case 'happened':
      return null;
    case 'timed-out':
      return { kind: 'timeout' };
    case 'aborted':
      return { kind: 'cancelled' };
  }
}
