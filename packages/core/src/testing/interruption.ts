import type { Clock } from '../ports/clock.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';

export type Interruption = 'timeout' | 'cancelled';

export type InterruptionOptions = { readonly clock: Clock; readonly request: Pick<RunRequest, 'deadlineAtMs'> };

/** The interruption of a run from outside so far; null if nothing has ended it. */
export function interruptionOf({ clock, request }: InterruptionOptions, signal: AbortSignal): Interruption | null {
  if (signal.aborted) {
    return 'cancelled';
  }
  return clock.now() >= request.deadlineAtMs ? 'timeout' : null;
}

/** The interruption of a run before that time; null if nothing ended it. Leaves no sleep and no listener. */
export async function interruptionUntil(
  moment: Promise<unknown>,
  options: InterruptionOptions,
  signal: AbortSignal,
): Promise<Interruption | null> {
  const { clock, request } = options;
  const over = new AbortController();
  const end = (): void => over.abort();
  signal.addEventListener('abort', end, { once: true });
  moment.then(end, end);
  if (!signal.aborted) {
    await clock.sleep(request.deadlineAtMs - clock.now(), over.signal).catch(() => undefined);
  }
  signal.removeEventListener('abort', end);
  return interruptionOf(options, signal);
}
