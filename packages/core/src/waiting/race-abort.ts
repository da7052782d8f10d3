import { aborted } from './unless-aborted.ts';

/** The value of a promise, or `aborted` as soon as the signal is aborted, whether the promise settles or not. Rejects if the promise does. */
export async function raceAbort<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value | typeof aborted> {
  const over = new AbortController();
  const abort = new Promise<typeof aborted>((resolve) => {
    const end = (): void => resolve(aborted);
    if (signal.aborted) {
      end();
      return;
    }
    signal.addEventListener('abort', end, { once: true });
    over.signal.addEventListener('abort', () => signal.removeEventListener('abort', end), { once: true });
  });
  try {
    return await Promise.race([value, abort]);
  } finally {
    over.abort();
  }
}
