import type { CommandEnd, CommandReport } from '@gemini-mcp/core';
import { OutputWindow } from './output-window.ts';

export type CommandStop = Extract<CommandEnd, { readonly type: 'stopped' }>;

/** A command from its start to its end, with what it has printed since somebody asked. */
export class RunningCommand {
  readonly handle: string;
  /** Aborted when the command is to stop, `end` says why. */
  readonly stopping: AbortSignal;
  readonly #startedAtMs = performance.now();
  readonly #stopping = new AbortController();
  readonly #output = new OutputWindow();
  readonly #maxOutputBytes: number;
  readonly #ended = new AbortController();
  #stop: CommandStop | null = null;
  #end: CommandEnd | null = null;
  #durationMs = 0;

  constructor({ handle, maxOutputBytes }: { readonly handle: string; readonly maxOutputBytes: number }) {
    this.handle = handle;
    this.stopping = this.#stopping.signal;
    this.#maxOutputBytes = maxOutputBytes;
  }

  /** Resolves when nothing of it is left. Never rejects. */
  get whenOver(): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#ended;
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) {
        resolve();
      }
    });
  }

  get isOver(): boolean {
    return this.#end !== null;
  }

  /** Takes in what was printed, up to the limit at which it is stopped. */
  print(chunk: Buffer): void {
    const room = this.#maxOutputBytes - this.#output.totalBytes;
    this.#output.add(chunk.subarray(0, Math.max(0, room)));
    if (chunk.length > room) {
      this.stop('output', `it printed more than ${this.#maxOutputBytes} bytes`);
    }
  }

  /** Begins to end it; the first reason counts. */
  stop(reason: CommandStop['reason'], detail: string): void {
    if (this.#end === null && this.#stop === null) {
      this.#stop = { type: 'stopped', reason, detail };
      this.#stopping.abort();
    }
  }

  /** Once nothing of it is left. */
  finish(exitCode: number): void {
    this.#end = this.#stop ?? { type: 'exited', exitCode };
    this.#durationMs = performance.now() - this.#startedAtMs;
    this.#ended.abort();
  }

  /** Resolves when it has ended, its time to wait is over, or the signal is aborted. Never rejects. */
  async wait(waitMs: number, signal: AbortSignal): Promise<void> {
    const ended = this.#ended.signal;
    if (ended.aborted || signal.aborted) {
      return;
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        ended.removeEventListener('abort', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      ended.addEventListener('abort', done, { once: true });
      signal.addEventListener('abort', done, { once: true });
    });
  }

  /** What there is to tell since the last report. */
  report(): CommandReport {
    const isOver = this.#end !== null;
    return {
      handle: isOver ? null : this.handle,
      end: this.#end,
      output: this.#output.take({ isLast: isOver }),
      outputBytes: this.#output.totalBytes,
      durationMs: Math.round(isOver ? this.#durationMs : performance.now() - this.#startedAtMs),
      changes: [],
    };
  }
}
