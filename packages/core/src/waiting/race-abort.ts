import { aborted } from './unless-aborted.ts';

/** What a promise resolves to, or `aborted` as soon as the signal is, whether the promise settles or not. Rejects as the promise does. */
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
