import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { CallQueue, QueueTicket } from './call-queue.ts';
import { raceTimeout } from './race-timeout.ts';

export type RunInTurnOptions = {
  /** If missing, the work begins at once. */
  readonly queue: CallQueue | undefined;
  readonly owner: string;
  readonly deadlineAtMs: number;
  readonly clock: Clock;
  /** Called once if the work has to wait: `ahead` calls come before it. */
  readonly onQueued: (ahead: number) => void;
};

/** The outcome of work that needed a slot of the queue. */
export type Turn<Result> = {
  /** From arrival until it got its slot, or stopped waiting. */
  readonly waitedMs: number;
} & (
  | { readonly failure: null; readonly result: Result }
  /** It never began: the queue was full, its time was up, or it was cancelled. */
  | { readonly failure: GeminiFailure }
);

/** Runs work in a slot of the queue, which is freed when the work ends for any reason. Rejects if the work does. */
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

/** Resolves to null when the call has its slot, otherwise to the reason why it stopped waiting. */
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
