import type { Clock } from '../ports/clock.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';

export type Interruption = 'timeout' | 'cancelled';

export type InterruptionOptions = { readonly clock: Clock; readonly request: Pick<RunRequest, 'deadlineAtMs'> };

/** What has ended a run from outside by now; null where nothing has. */
export function interruptionOf({ clock, request }: InterruptionOptions, signal: AbortSignal): Interruption | null {
  if (signal.aborted) {
    return 'cancelled';
  }
  return clock.now() >= request.deadlineAtMs ? 'timeout' : null;
}

/** What ended a run before the moment came; null where nothing did. Leaves no sleep and no listener. */
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
