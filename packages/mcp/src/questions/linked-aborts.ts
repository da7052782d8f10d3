export type LinkedAborts = {
  readonly signal: AbortSignal;
  readonly abort: (reason: string) => void;
  /** Forgets the signals that it was linked to. */
  readonly release: () => void;
};

/** A signal that is aborted in the very moment in which one of the others is, or for a reason of its own. */
export function linkedAborts(others: readonly AbortSignal[]): LinkedAborts {
  const controller = new AbortController();
  const abort = (reason: string): void => controller.abort(reason);
  const takeBack = (): void => abort('The call was cancelled');
  // Each once: one listener of a signal that is given twice would stay.
  const signals = [...new Set(others)];
  for (const each of signals) {
    each.addEventListener('abort', takeBack, { once: true });
  }
  if (signals.some(({ aborted }) => aborted)) {
    takeBack();
  }
  const release = (): void => {
    for (const each of signals) {
      each.removeEventListener('abort', takeBack);
    }
  };
  return { signal: controller.signal, abort, release };
}
