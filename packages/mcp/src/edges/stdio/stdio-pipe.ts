import type { Readable, Writable } from 'node:stream';
import { errorCodes } from '../../input/request-params.ts';
import type { RequestId, RpcMessage } from '../rpc-message.ts';
import { MessageSplitter } from './message-splitter.ts';
import { parseMessageLine } from './parse-message-line.ts';
import type { StdioEnd, StdioTransportOptions } from './stdio-served.ts';

const maxLineBytes = 10 * 1024 * 1024;

/** Answers that a client does not read pile up in memory; beyond this limit the server reads no further requests from it. */
const maxPendingOutputBytes = 8 * 1024 * 1024;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Characters that Unicode and many line readers treat as line ends, although JSON allows them within a string. */
const lineBreaksInJson = /[\u0085\u2028\u2029]/g;

/**
 * Carries JSON-RPC over a pair of streams, one message per line. The SDK's own transport outlives the end of its input, crashes on
 * a closed output, drops invalid lines without an answer and ends silently after a long line; this one does not.
 *
 * Closes itself, and calls `onclose` once, when either stream ends or fails and when a line is longer than 10 MiB.
 * Accepts a byte order mark at the very beginning of the input, where some shells put one. Never ends a stream or the process: both
 * belong to the owner.
 */
export class StdioPipe {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: RpcMessage) => void) | undefined;

  /** Resolves when the connection has ended. Never rejects. */
  readonly ended: Promise<StdioEnd>;

  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #lastAnswersMs: number;
  readonly #lines = new MessageSplitter({ maxLineBytes });
  readonly #awaitsQuickAnswers: () => boolean;
  #isFirstLine = true;
  #isInputOver = false;
  #lastAnswersTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #waitingForRoom: (() => void)[] = [];
  #resolveEnded: (end: StdioEnd) => void = () => undefined;

  /** `awaitsQuickAnswers` says whether a request other than a tool call waits: those are answered within moments. */
  constructor(options: StdioTransportOptions, awaitsQuickAnswers: () => boolean) {
    this.#stdin = options.stdin;
    this.#stdout = options.stdout;
    this.#awaitsQuickAnswers = awaitsQuickAnswers;
    this.#lastAnswersMs = options.lastAnswersMs ?? 1_000;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  start(): void {
    // The error listeners stay for good: a stream may fail after we have closed, and no one else would catch that.
    this.#stdout.on('error', (cause) => this.#end({ reason: 'output-closed', cause }));
    this.#stdout.on('close', () => this.#end({ reason: 'output-closed', cause: null }));
    this.#stdout.on('drain', this.#resume);
    this.#stdin.on('error', (cause) => this.#end({ reason: 'input-failed', cause }));
    this.#stdin.on('end', this.#endOfInput);
    this.#stdin.on('close', this.#endOfInput);
    this.#stdin.on('data', this.#read);
  }

  /** Resolves once the output has room for more, so that a sender who awaits it goes no faster than the client reads. */
  send(message: RpcMessage): Promise<void> {
    if (this.#isClosed) {
      return Promise.reject(new Error('The connection is closed'));
    }
    const written = this.#write(message);
    if (this.#isInputOver) {
      this.#endOfInput();
    }
    return written;
  }

  close(): void {
    this.#end({ reason: 'closed', cause: null });
  }

  readonly #read = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#lines.push(bytes, this.#receive)) {
      return;
    }
    const reason = `a message is longer than ${maxLineBytes} bytes`;
    this.#refuse(null, errorCodes.invalidRequest, `Invalid request: ${reason}; the connection is closed`);
    this.#end({ reason: 'line-too-long', cause: new Error(reason) });
  };

  readonly #receive = (line: Buffer): void => {
    if (this.#isClosed) {
      return;
    }
    const parsed = parseMessageLine(this.#isFirstLine ? withoutByteOrderMark(line) : line);
    this.#isFirstLine = false;
    switch (parsed.type) {
      case 'message':
        this.onmessage?.(parsed.message);
        break;
      case 'refused':
        this.#refuse(parsed.id, parsed.code, parsed.reason);
        break;
      case 'stray-response':
        this.onerror?.(new Error('The client sent a malformed response'));
        break;
      case 'blank':
        break;
    }
  };

  #refuse(id: RequestId | null, code: number, reason: string): void {
    this.onerror?.(new Error(reason));
    void this.#write({ jsonrpc: '2.0', id, error: { code, message: reason } });
  }

  #write(message: object): Promise<void> {
    const json = JSON.stringify(message).replace(lineBreaksInJson, escapeCodeUnit);
    if (this.#stdout.write(`${json}\n`)) {
      return Promise.resolve();
    }
    if (this.#stdout.writableLength > maxPendingOutputBytes) {
      this.#stdin.pause();
    }
    return new Promise((resolve) => {
      this.#waitingForRoom.push(resolve);
    });
  }

  readonly #resume = (): void => {
    const waiting = this.#waitingForRoom;
    this.#waitingForRoom = [];
    for (const proceed of waiting) {
      proceed();
    }
    if (!this.#isClosed) {
      this.#stdin.resume();
    }
  };

  /**
   * Requests piped in right before the end of input still get their answers; tool calls, which may take minutes, are
   * aborted.
   */
  readonly #endOfInput = (): void => {
    if (!this.#isInputOver) {
      this.#isInputOver = true;
      this.#lastAnswersTimer = setTimeout(
        () => this.#end({ reason: 'end-of-input', cause: null }),
        this.#lastAnswersMs,
      );
    }
    if (!this.#awaitsQuickAnswers()) {
      this.#end({ reason: 'end-of-input', cause: null });
    }
  };

  #end(end: StdioEnd): void {
    if (this.#isClosed) {
      return;
    }
    this.#isClosed = true;
    clearTimeout(this.#lastAnswersTimer);
    this.#stdin.off('data', this.#read);
    this.#stdin.pause();
    this.#resume();
    if (end.cause !== null) {
      this.onerror?.(end.cause);
    }
    this.onclose?.();
    this.#resolveEnded(end);
  }
}

function withoutByteOrderMark(line: Buffer): Buffer {
  return line.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? line.subarray(byteOrderMark.length) : line;
}

function escapeCodeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
