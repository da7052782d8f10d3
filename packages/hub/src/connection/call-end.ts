/** What ends a call before its answer: less than an `AbortSignal`, of which Node makes one in the time that a call has for all the rest. */
export type CallEnd = {
  readonly isOver: boolean;
  /** For what takes nothing else; it may be made when it is first asked for. */
  readonly signal: AbortSignal;
  /** Has a listener hear of it, once, until what it returns is called. It is not called where it is over already. */
  readonly onOver: (listener: () => void) => () => void;
};

/** The abort of a signal as the end of a call. */
export function endBy(signal: AbortSignal): CallEnd {
  return {
    get isOver() {
      return signal.aborted;
    },
    signal,
    onOver: (listener) => {
      signal.addEventListener('abort', listener, { once: true });
      return () => signal.removeEventListener('abort', listener);
    },
  };
}
