import { StringDecoder } from 'node:string_decoder';
import type { CommandEnd, CommandReport } from '@gemini-mcp/core';

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

/** In UTF-16 code units, of what is shown of one report: the first half and the last half of it. */
const maxCharacters = 40_000;
const half = maxCharacters / 2;

/** Keeps what a command has printed since it was last asked: all of it, or its beginning and its end. */
class OutputWindow {
  readonly #decoder = new StringDecoder('utf8');
  #head = '';
  #tail = '';
  #dropped = 0;
  #totalBytes = 0;

  get totalBytes(): number {
    return this.#totalBytes;
  }

  add(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    this.#append(this.#decoder.write(chunk));
  }

  /** What was printed since the last call. `isLast`: half a character at the end is told as one that is damaged. */
  take({ isLast }: { readonly isLast: boolean }): string {
    if (isLast) {
      this.#append(this.#decoder.end());
    }
    this.#cutTail();
    const gap = this.#dropped === 0 ? '' : `\n… ${this.#dropped} characters are left out here …\n`;
    const text = this.#head + gap + this.#tail;
    this.#head = '';
    this.#tail = '';
    this.#dropped = 0;
    return text;
  }

  #append(text: string): void {
    const room = half - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    if (this.#tail.length > maxCharacters) {
      this.#cutTail();
    }
  }

  /** Never between the halves of a pair. */
  #cutTail(): void {
    const excess = this.#tail.length - half;
    if (excess <= 0) {
      return;
    }
    const code = this.#tail.charCodeAt(excess);
    const from = code >= 0xdc00 && code < 0xe000 ? excess + 1 : excess;
    this.#dropped += from;
    this.#tail = this.#tail.slice(from);
  }
}
