import { StringDecoder } from 'node:string_decoder';
import type { CommandEnd, CommandReport } from '@gemini-mcp/core';

export type CommandStop = Extract<CommandEnd, { readonly type: 'stopped' }>;

/** A command from start to end, with its output since the last report. */
export class RunningCommand {
  readonly handle: string;
  /** Aborted when the command must stop; `end` says why. */
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

  /** Resolves when all its processes are gone. Never rejects. */
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

  /** Records output, and stops the command at the output limit. */
  print(chunk: Buffer): void {
    const room = this.#maxOutputBytes - this.#output.totalBytes;
    this.#output.add(chunk.subarray(0, Math.max(0, room)));
    if (chunk.length > room) {
      this.stop('output', `it printed more than ${this.#maxOutputBytes} bytes`);
    }
  }

  /** Begins to end the command; the first reason counts. */
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

  /** Resolves when the command has ended, the wait is over, or the signal is aborted. Never rejects. */
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

/** In UTF-16 code units, for the shown part of one report: half for its beginning, half for its end. */
const maxCharacters = 40_000;
const half = maxCharacters / 2;

/** Keeps a command's output since the last report: all of it, or its beginning and its end. */
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

  /** Takes the output since the last call. `isLast`: an incomplete character at the end becomes a replacement character. */
  take({ isLast }: { readonly isLast: boolean }): string {
    if (isLast) {
      this.#append(this.#decoder.end());
    }
    this.#cutTail();
    const gap = this.#dropped === 0 ? '' : `\n… ${this.#dropped} characters omitted …\n`;
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

  /** Never splits a surrogate pair. */
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
