import { type Clock, waitAtMost } from '@gemini-mcp/core';

export type SilenceWatchOptions = {
  readonly clock: Clock;
  /** Longest silence that is taken as it is. */
  readonly silenceMs: number;
  /** How long the answer to a ping may take. */
  readonly answerMs: number;
  /** Resolves to whatever is answered; must not reject. */
  readonly ping: () => Promise<unknown>;
  readonly onSilent: () => void;
};

/**
 * Watches a process while it works: one that has said nothing for a while is asked whether it is there. A model that
 * thinks for minutes is silent as well, but the process between us answers at once.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #closed = new AbortController();
  #working = 0;
  #heardAtMs = 0;
  #pause: AbortController | undefined;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Something begins. Each has its `end`. */
  begin(): void {
    this.#working += 1;
    if (this.#working === 1 && !this.#closed.signal.aborted) {
      this.hear();
      this.#pause = new AbortController();
      void this.#watch(AbortSignal.any([this.#pause.signal, this.#closed.signal]));
    }
  }

  end(): void {
    this.#working -= 1;
    if (this.#working === 0) {
      this.#pause?.abort();
    }
  }

  /** The process has said something. */
  hear(): void {
    this.#heardAtMs = this.#options.clock.now();
  }

  /** Leaves no timer behind. */
  close(): void {
    this.#closed.abort();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { clock, silenceMs } = this.#options;
    for (;;) {
      const restMs = this.#heardAtMs + silenceMs - clock.now();
      if (restMs <= 0) {
        const isThere = await this.#ask(signal);
        if (!isThere) {
          return;
        }
      } else if (!(await slept(clock, restMs, signal))) {
        return;
      }
    }
  }

  /** Resolves to whether there is more to watch. */
  async #ask(signal: AbortSignal): Promise<boolean> {
    const { clock, answerMs, ping, onSilent } = this.#options;
    const end = await waitAtMost({ event: ping(), durationMs: answerMs, clock }, signal);
    if (end === 'timed-out') {
      onSilent();
    }
    if (end === 'happened') {
      this.hear();
    }
    return end === 'happened' && !signal.aborted;
  }
}

function slept(clock: Clock, durationMs: number, signal: AbortSignal): Promise<boolean> {
  return clock.sleep(durationMs, signal).then(
    () => true,
    () => false,
  );
}
