import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import type { McpServer } from '../create-mcp-server.ts';
import { findInvalidInitialize } from '../invalid-initialize.ts';
import type { ConnectionRequests } from '../requests/connection-requests.ts';
import type { StdioEnd, StdioServed, StdioTransportOptions } from './stdio-served.ts';

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
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;

  /** Resolves when the connection has ended. Never rejects. */
  readonly ended: Promise<StdioEnd>;

  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #lastAnswersMs: number;
  readonly #lines = new MessageSplitter({ maxLineBytes });
  readonly #page: Pick<ConnectionRequests, 'awaitsQuickAnswers'>;
  #isFirstLine = true;
  #isInputOver = false;
  #lastAnswersTimer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #waitingForRoom: (() => void)[] = [];
  #resolveEnded: (end: StdioEnd) => void = () => undefined;

  constructor(options: StdioTransportOptions & { readonly page: Pick<ConnectionRequests, 'awaitsQuickAnswers'> }) {
    this.#stdin = options.stdin;
    this.#stdout = options.stdout;
    this.#page = options.page;
    this.#lastAnswersMs = options.lastAnswersMs ?? 1_000;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  start(): Promise<void> {
    // The error listeners stay for good: a stream may fail after we have closed, and no one else would catch that.
    this.#stdout.on('error', (cause) => this.#end({ reason: 'output-closed', cause }));
    this.#stdout.on('close', () => this.#end({ reason: 'output-closed', cause: null }));
    this.#stdout.on('drain', this.#resume);
    this.#stdin.on('error', (cause) => this.#end({ reason: 'input-failed', cause }));
    this.#stdin.on('end', this.#endOfInput);
    this.#stdin.on('close', this.#endOfInput);
    this.#stdin.on('data', this.#read);
    return Promise.resolve();
  }

  /** Resolves once the output has room for more, so that a sender who awaits it goes no faster than the client reads. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) {
      return Promise.reject(new Error('The connection is closed'));
    }
    const written = this.#write(message);
    if (this.#isInputOver) {
      this.#endOfInput();
    }
    return written;
  }

  close(): Promise<void> {
    this.#end({ reason: 'closed', cause: null });
    return Promise.resolve();
  }

  readonly #read = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (this.#lines.push(bytes, this.#receive)) {
      return;
    }
    const reason = `a message is longer than ${maxLineBytes} bytes`;
    this.#refuse(null, ErrorCode.InvalidRequest, `Invalid request: ${reason}; the connection is closed`);
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
    if (!this.#page.awaitsQuickAnswers) {
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

/** The result of parsing one line of input. */
type ParsedLine =
  | { readonly type: 'message'; readonly message: JSONRPCMessage }
  | { readonly type: 'blank' }
  /** Answered with this error. `id` is null if the line has no valid id. */
  | { readonly type: 'refused'; readonly id: RequestId | null; readonly code: number; readonly reason: string }
  /** Not answered: it looks like an answer itself, and its id could be that of another request. */
  | { readonly type: 'stray-response' };

/** Reads one line as JSON-RPC, without its newline. Never throws. */
export function parseMessageLine(line: Buffer): ParsedLine {
  // Decoding would silently replace invalid UTF-8, but Gemini must get exactly the bytes that the client sent.
  if (!isUtf8(line)) {
    return refused(null, ErrorCode.ParseError, 'Parse error: the line is not valid UTF-8');
  }
  const text = line.toString('utf8');
  if (text.trim() === '') {
    return { type: 'blank' };
  }
  const json = parseJson(text);
  return json.ok
    ? parseMessage(json.value)
    : refused(null, ErrorCode.ParseError, 'Parse error: the line is not valid JSON');
}

function parseJson(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

function parseMessage(value: unknown): ParsedLine {
  if (Array.isArray(value)) {
    return refused(null, ErrorCode.InvalidRequest, 'Invalid request: batches are not supported');
  }
  const parsed = JSONRPCMessageSchema.safeParse(value);
  if (parsed.success) {
    const invalid = findInvalidInitialize(parsed.data);
    return invalid === null ? { type: 'message', message: parsed.data } : { type: 'refused', ...invalid };
  }
  if (typeof value === 'object' && value !== null && !('method' in value) && ('result' in value || 'error' in value)) {
    return { type: 'stray-response' };
  }
  return refused(usableId(value), ErrorCode.InvalidRequest, 'Invalid request: not a JSON-RPC 2.0 message');
}

function usableId(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) {
    return null;
  }
  const { id } = value;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}

function refused(id: RequestId | null, code: number, reason: string): ParsedLine {
  return { type: 'refused', id, code, reason };
}

const newline = 0x0a;
const firstCapacityBytes = 64 * 1024;

/**
 * Cuts a byte stream into lines. Searches each chunk once and copies a partial line into a buffer that doubles, so that the cost
 * stays linear for any chunking, and the memory stays near the longest line.
 */
export class MessageSplitter {
  readonly #maxLineBytes: number;
  #partial: Buffer = Buffer.alloc(0);
  #partialBytes = 0;

  constructor(options: { readonly maxLineBytes: number }) {
    this.#maxLineBytes = options.maxLineBytes;
  }

  /**
   * Calls `onLine` for each line that the chunk completes, without its newline; the bytes are valid during the call only.
   * Returns false as soon as a line is longer than the limit; the splitter is unusable from then on.
   */
  push(chunk: Buffer, onLine: (line: Buffer) => void): boolean {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      const rest = chunk.subarray(start, end);
      if (!this.#fits(rest)) {
        return false;
      }
      onLine(this.#complete(rest));
      start = end + 1;
    }
    return this.#keep(chunk.subarray(start));
  }

  #complete(rest: Buffer): Buffer {
    if (this.#partialBytes === 0) {
      return rest;
    }
    this.#append(rest);
    const line = this.#partial.subarray(0, this.#partialBytes);
    this.#partialBytes = 0;
    if (this.#partial.length > firstCapacityBytes) {
      this.#partial = Buffer.alloc(0);
    }
    return line;
  }

  #keep(rest: Buffer): boolean {
    if (!this.#fits(rest)) {
      return false;
    }
    this.#append(rest);
    return true;
  }

  #fits(more: Buffer): boolean {
    return this.#partialBytes + more.length <= this.#maxLineBytes;
  }

  #append(more: Buffer): void {
    const needed = this.#partialBytes + more.length;
    if (needed > this.#partial.length) {
      const capacity = Math.max(firstCapacityBytes, this.#partial.length * 2, needed);
      const grown = Buffer.allocUnsafeSlow(Math.min(capacity, this.#maxLineBytes));
      this.#partial.copy(grown, 0, 0, this.#partialBytes);
      this.#partial = grown;
    }
    more.copy(this.#partial, this.#partialBytes);
    this.#partialBytes = needed;
  }
}

/** As `serveStdio`, for an existing server. */
export async function serveOverStdio(
  server: McpServer,
  options: StdioTransportOptions,
  signal: AbortSignal,
): Promise<StdioServed> {
  const transport = new StdioTransport({ ...options, page: server.page });
  const close = (): void => void transport.close();
  await server.connect(transport);
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) {
    close();
  }
  const end = await transport.ended;
  signal.removeEventListener('abort', close);
  return { ...end, callsEnded: server.callsEnded() };
}
