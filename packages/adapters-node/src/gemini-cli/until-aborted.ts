/** Resolves to null if the signal is aborted first; the awaited promise goes on. Removes its listener. */
export async function untilAborted<T>(event: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const departure = new AbortController();
  const gone = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true, signal: departure.signal });
  });
  try {
    return signal.aborted ? null : await Promise.race([event, gone]);
  } finally {
    departure.abort();
  }
}
