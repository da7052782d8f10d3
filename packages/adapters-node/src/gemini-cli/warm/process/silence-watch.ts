import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@gemini-mcp/core';
import { raceTimeout, sleepUnlessAborted } from '@gemini-mcp/core/internal';

export type SilenceWatchOptions = {
  readonly clock: Clock;
  /** The longest accepted silence. */
  readonly silenceMs: number;
  /** How long the answer to a ping may take. */
  readonly answerMs: number;
  /** Resolves to any answer; must not reject. */
  readonly ping: () => Promise<unknown>;
  readonly onSilent: () => void;
};

/** Pings a process that is working and has been silent for a while. A model may think for minutes, but the CLI answers at once. */
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

  /** Starts watching one operation. Each needs its `end`. */
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

  /** Resolves to whether to go on watching. */
  async #ask(signal: AbortSignal): Promise<boolean> {
    const { clock, answerMs, ping, onSilent } = this.#options;
    this.#hasSpoken = false;
    const answer = ping().then(() => this.hear());
    const end = await raceTimeout({ event: answer, durationMs: answerMs, clock }, signal);
    if (end === 'timed-out') {
      // Timers fire before pipes are read: if this process was busy meanwhile, read pending output first.
      await nextTurn();
    }
    if (!(this.#hasSpoken || signal.aborted)) {
      onSilent();
    }
    return this.#hasSpoken && !signal.aborted;
  }
}
