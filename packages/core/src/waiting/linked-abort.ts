export type LinkedAbort = {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** Unlinks the other signal. */
  readonly release: () => void;
};

/** A signal that aborts with another one, or for a reason of its own. */
export function linkedAbort(other: AbortSignal): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (other.aborted) {
    abort();
  }
  other.addEventListener('abort', abort, { once: true });
  return { signal: controller.signal, abort, release: () => other.removeEventListener('abort', abort) };
}
