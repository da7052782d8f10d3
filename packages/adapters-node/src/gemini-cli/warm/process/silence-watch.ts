import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@gemini-mcp/core';
import { raceTimeout, sleepUnlessAborted } from '@gemini-mcp/core/internal';

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
 * Asks a process that works and has said nothing for a while whether it is there. A model may think for minutes, but the CLI answers at
 * once.
 */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #working = 0;
  #heardAtMs = 0;
  #hasSpoken = false;
  #isClosed = false;
  #pause: AbortController | undefined;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** Something begins. Each has its `end`. */
  begin(): void {
    this.#working += 1;
    if (this.#working === 1 && !this.#isClosed) {
      this.hear();
      this.#pause = new AbortController();
      void this.#watch(this.#pause.signal);
    }
  }

  end(): void {
    this.#working -= 1;
    if (this.#working === 0) {
      this.#pause?.abort();
    }
  }

  hear(): void {
    this.#hasSpoken = true;
    this.#heardAtMs = this.#options.clock.now();
  }

  close(): void {
    this.#isClosed = true;
    this.#pause?.abort();
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
      } else if (!(await sleepUnlessAborted(clock, restMs, signal))) {
        return;
      }
    }
  }

  /** Resolves to whether there is more to watch. */
  async #ask(signal: AbortSignal): Promise<boolean> {
    const { clock, answerMs, ping, onSilent } = this.#options;
    this.#hasSpoken = false;
    const answer = ping().then(() => this.hear());
    const end = await raceTimeout({ event: answer, durationMs: answerMs, clock }, signal);
    if (end === 'timed-out') {
      // Timers come before what is in the pipes: where this process was busy meanwhile, that is to be read first.
      await nextTurn();
    }
    if (!(this.#hasSpoken || signal.aborted)) {
      onSilent();
    }
    return this.#hasSpoken && !signal.aborted;
  }
}
