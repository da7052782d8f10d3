import type { Clock } from '@gemini-mcp/core';
import type { CallEnd } from './call-end.ts';

export type CallTimeOptions = {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly deadlineAtMs: number;
  readonly onEnd: () => void;
};

/** The time of one call. It is over when it has expired, and when the caller aborts. */
export class CallTime implements CallEnd {
  readonly #options: CallTimeOptions;
  readonly #caller: AbortSignal;
  #isOver = false;
  #listener: (() => void) | null = null;
  #aborting: AbortController | undefined;
  #heardAtMs = 0;

  constructor(options: CallTimeOptions, caller: AbortSignal) {
    this.#options = options;
    this.#caller = caller;
    this.heard();
    caller.addEventListener('abort', this.#forward, { once: true });
    if (caller.aborted) {
      this.#forward();
    }
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get signal(): AbortSignal {
    if (this.#aborting === undefined) {
      this.#aborting = new AbortController();
      if (this.#isOver) {
        this.#aborting.abort();
      }
    }
    return this.#aborting.signal;
  }

  /** One listener at a time: a call waits for one thing after the other. */
  onOver(listener: () => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = null;
    };
  }

  get deadlineAtMs(): number {
    return this.#options.deadlineAtMs;
  }

  /** When it expires, unless there is a sign of life before. */
  get overAtMs(): number {
    const { timeoutMs, deadlineAtMs } = this.#options;
    return Math.min(this.#heardAtMs + timeoutMs, deadlineAtMs);
  }

  /** The server has given a sign of life. */
  heard(): void {
    this.#heardAtMs = this.#options.clock.now();
  }

  /** The time since `sinceMs` was no silence of the server, which waited for its user; nor was it a sign of life. */
  resume(sinceMs: number): void {
    this.#heardAtMs = this.#options.clock.now() - Math.max(0, sinceMs - this.#heardAtMs);
  }

  expire(): void {
    this.#forward();
    this.end();
  }

  /** The call is over. */
  end(): void {
    this.#caller.removeEventListener('abort', this.#forward);
    this.#options.onEnd();
  }

  readonly #forward = (): void => {
    this.#isOver = true;
    this.#aborting?.abort();
    this.#listener?.();
  };
}
