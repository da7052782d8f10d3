import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineSplitter } from '../../../processes/output/line-splitter.ts';
import { PacedChunks } from '../../../processes/output/paced-chunks.ts';
import { type AcpLine, type AcpUpdate, parseAcpLine } from './acp-messages.ts';

/** How a request ended. */
export type AcpReply =
  | { readonly ok: true; readonly result: unknown }
  /** The agent's own error; one of the API has the HTTP status as its code. */
  | { readonly ok: false; readonly closed: false; readonly code: number; readonly message: string }
  /** No answer will come. Whether the agent has acted on the request is unknown. */
  | { readonly ok: false; readonly closed: true };

/** A violation of the protocol by an agent. */
export type AcpFault =
  /** It sent us a request, which was refused. Reported each time; the connection goes on. */
  | { readonly kind: 'asked'; readonly method: string }
  /** Too much output that is not JSON-RPC, or a reply without a request. The connection stops reading. */
  | { readonly kind: 'garbage' }
  /** A line, or all unread output, is too long to keep. The connection stops reading. */
  | { readonly kind: 'overlong' };

export type AcpConnectionLimits = {
  readonly maxLineBytes: number;
  /** Limit of the unread output. */
  readonly maxUnreadBytes: number;
  /** Limit of output that is not JSON-RPC, over the life of the connection. */
  readonly maxStrayBytes: number;
  /** Limit of our answers that the agent has not read; beyond it the agent gets no more. */
  readonly maxUnsentMessages: number;
};

export type AcpConnectionOptions = {
  /** Written to, but never ended or destroyed; the connection handles its errors. */
  readonly stdin: Writable;
  /** Called in the order of the agent, and before the reply that the agent sent after it. Must not throw, like `onFault`. */
  readonly onUpdate: (sessionId: string, update: AcpUpdate) => void;
  readonly onFault: (fault: AcpFault) => void;
  readonly limits?: Partial<AcpConnectionLimits>;
};

const defaultLimits: AcpConnectionLimits = {
  maxLineBytes: 16_777_216,
  maxUnreadBytes: 67_108_864,
  maxStrayBytes: 1_048_576,
  maxUnsentMessages: 100,
};

const shownMethodCharacters = 100;

const methodNotFoundCode = -32_601;

/**
 * The client's end of an ACP connection (JSON-RPC lines over the pipes of an agent). Reads and writes megabytes without blocking the
 * event loop, keeps a bounded amount of a hostile agent's output, and refuses all requests of the agent.
 */
export class AcpConnection {
  readonly #options: AcpConnectionOptions;
  readonly #limits: AcpConnectionLimits;
  readonly #outbox: AcpOutbox;
  readonly #lines: LineSplitter;
  readonly #incoming = new PacedChunks((piece) => this.#readPiece(piece));
  readonly #pending = new Map<unknown, (reply: AcpReply) => void>();
  #lastId = 0;
  #unreadBytes = 0;
  #strayBytes = 0;
  #isReading = true;
  #isClosed = false;

  constructor(options: AcpConnectionOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#outbox = new AcpOutbox(options.stdin);
    this.#lines = new LineSplitter({ maxLineBytes: this.#limits.maxLineBytes });
  }

  /** Accepts output of the agent. Returns at once; the output is read in turns of the event loop. */
  receive(chunk: Buffer): void {
    if (!this.#isReading) {
      return;
    }
    this.#unreadBytes += chunk.length;
    if (this.#unreadBytes > this.#limits.maxUnreadBytes) {
      this.#stopReading({ kind: 'overlong' });
      return;
    }
    this.#incoming.push(chunk);
  }

  /** Sends a request without a time limit. Never rejects, unless JSON.stringify throws: a closed connection is a reply. */
  request(method: string, params: unknown): Promise<AcpReply> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#outbox.send({ jsonrpc: '2.0', id, method, params }, () => this.#settle(id, { ok: false, closed: true }));
    });
  }

  /** Sends a notification, after all earlier messages. Silently dropped if the connection is closed. */
  notify(method: string, params: unknown): void {
    this.#outbox.send({ jsonrpc: '2.0', method, params }, ignore);
  }

  /** Reads the remaining output, and closes. For an agent that has ended: its last line may be the answer. */
  async finish(): Promise<void> {
    await this.#incoming.whenRead();
    if (this.#isReading) {
      this.#readLines(this.#lines.end());
    }
    this.close();
  }

  /** Resolves every pending request as closed; nothing is read or written any more. Can be called repeatedly. */
  close(): void {
    this.#isClosed = true;
    this.#isReading = false;
    this.#incoming.clear();
    this.#outbox.close();
    for (const id of [...this.#pending.keys()]) {
      this.#settle(id, { ok: false, closed: true });
    }
  }

  #readPiece(piece: Buffer): void {
    this.#unreadBytes -= piece.length;
    this.#readLines(this.#lines.push(piece));
    if (this.#isReading && this.#lines.overlongLines > 0) {
      this.#stopReading({ kind: 'overlong' });
    }
  }

  /** An update or a fault may close the connection, in the middle of a piece. */
  #readLines(lines: readonly Buffer[]): void {
    for (const line of lines) {
      if (!this.#isReading) {
        return;
      }
      this.#take(parseAcpLine(line.toString('utf8')), line.length);
    }
  }

  #take(line: AcpLine, bytes: number): void {
    switch (line.type) {
      case 'update':
        this.#options.onUpdate(line.sessionId, line.update);
        return;
      case 'result':
        this.#takeReply(line.id, { ok: true, result: line.result });
        return;
      case 'error':
        this.#takeReply(line.id, { ok: false, closed: false, code: line.code, message: line.message });
        return;
      case 'request':
        this.#refuse(line.id, line.method);
        return;
      case 'unreadable':
        this.#takeStray(bytes);
        return;
      case 'other':
        return;
    }
  }

  #takeReply(id: unknown, reply: AcpReply): void {
    if (!this.#settle(id, reply)) {
      this.#stopReading({ kind: 'garbage' });
    }
  }

  #settle(id: unknown, reply: AcpReply): boolean {
    const resolve = this.#pending.get(id);
    this.#pending.delete(id);
    resolve?.(reply);
    return resolve !== undefined;
  }

  #refuse(id: string | number, method: string): void {
    if (this.#outbox.waiting <= this.#limits.maxUnsentMessages) {
      this.#outbox.send({ jsonrpc: '2.0', id, ...toRefusal(method) }, ignore);
    }
    this.#options.onFault({ kind: 'asked', method: method.slice(0, shownMethodCharacters) });
  }

  #takeStray(bytes: number): void {
    this.#strayBytes += bytes;
    if (this.#strayBytes > this.#limits.maxStrayBytes) {
      this.#stopReading({ kind: 'garbage' });
    }
  }

  /** Pending requests stay: the receiver of the fault ends the agent, and with it the connection. */
  #stopReading(fault: AcpFault): void {
    this.#isReading = false;
    this.#incoming.clear();
    if (!this.#isClosed) {
      this.#options.onFault(fault);
    }
  }
}

function toRefusal(method: string): Readonly<Record<string, unknown>> {
  return method === 'session/request_permission'
    ? { result: { outcome: { outcome: 'cancelled' } } }
    : { error: { code: methodNotFoundCode, message: 'Method not found' } };
}

function ignore(): void {}

/** Short enough not to delay other work in this process. */
const sliceMs = 5;

type Letter = {
  readonly slices: Iterable<Buffer>;
  /** May be called more than once. */
  readonly onDropped: () => void;
};

/**
 * Writes messages to a stream in order, a large one slice by slice, as fast as the reader takes them. If the stream breaks, drops the
 * messages that are not completely written.
 */
export class AcpOutbox {
  readonly #stdin: Writable;
  #letters: Letter[] = [];
  #isWriting = false;
  #isClosed = false;
  #wake: (() => void) | undefined;

  constructor(stdin: Writable) {
    this.#stdin = stdin;
    // Stays attached: a pending write may fail long after the end.
    stdin.on('error', () => this.close());
    stdin.on('close', () => this.close());
    stdin.on('drain', () => this.#wake?.());
  }

  /** The number of messages that are not completely written. */
  get waiting(): number {
    return this.#letters.length;
  }

  /** Calls `onDropped`, possibly more than once, if the message will not arrive whole. Throws what JSON.stringify throws. */
  send(message: Readonly<Record<string, unknown>>, onDropped: () => void): void {
    if (this.#isClosed || !this.#stdin.writable) {
      onDropped();
      return;
    }
    this.#letters.push({ slices: encodeMessage(message), onDropped });
    if (!this.#isWriting) {
      void this.#writeAll();
    }
  }

  /** Stops writing; drops the messages that are not completely written. Leaves the stream itself as it is. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
    for (const { onDropped } of this.#letters.splice(0)) {
      onDropped();
    }
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (let letter = this.#letters[0]; letter !== undefined; letter = this.#letters[0]) {
      await this.#write(letter);
      this.#letters.shift();
    }
    this.#isWriting = false;
  }

  async #write({ slices, onDropped }: Letter): Promise<void> {
    const onWritten = (error?: Error | null) => {
      if (error) {
        onDropped();
      }
    };
    let endsAtMs = performance.now() + sliceMs;
    for (const slice of slices) {
      if (this.#isClosed || !this.#stdin.writable) {
        this.close();
        return;
      }
      if (!this.#stdin.write(slice, onWritten)) {
        await this.#whenDrained();
        endsAtMs = performance.now() + sliceMs;
      } else if (performance.now() > endsAtMs) {
        await nextTurn();
        endsAtMs = performance.now() + sliceMs;
      }
    }
  }

  async #whenDrained(): Promise<void> {
    if (!this.#isClosed && this.#stdin.writableNeedDrain) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Encodes in a millisecond or two, whatever its characters. */
const maxSliceBytes = 262_144;

/** `\u0000`: the longest JSON form of a character. */
const maxBytesPerEscapedUnit = 6;
const maxBytesPerUnit = 3;

/** Shorter strings cost less together with their surroundings than as separate pieces. */
const longStringUnits = 4_096;

/**
 * The line of `message`, byte for byte as JSON.stringify produces it, in slices of at most 256 KiB. Encodes long strings when the reader
 * requests their slice. Throws what JSON.stringify throws, before the first slice.
 */
export function encodeMessage(message: Readonly<Record<string, unknown>>): Iterable<Buffer> {
  const longStrings: string[] = [];
  // Generated after all text exists, so no text can contain it.
  const placeholder = randomUUID();
  const frame = JSON.stringify(message, (_name, value: unknown) => {
    if (typeof value !== 'string' || value.length <= longStringUnits) {
      return value;
    }
    longStrings.push(value);
    return placeholder;
  });
  return encodeSlices(`${frame}\n`.split(placeholder), longStrings);
}

function* encodeSlices(frameParts: readonly string[], longStrings: readonly string[]): Iterable<Buffer> {
  for (const [index, part] of frameParts.entries()) {
    for (const piece of cut(part, Math.floor(maxSliceBytes / maxBytesPerUnit))) {
      yield Buffer.from(piece);
    }
    for (const piece of cut(longStrings[index] ?? '', Math.floor(maxSliceBytes / maxBytesPerEscapedUnit))) {
      yield Buffer.from(JSON.stringify(piece).slice(1, -1));
    }
  }
}

function* cut(text: string, maxUnits: number): Iterable<string> {
  let start = 0;
  while (start < text.length) {
    const end = cutsPair(text, start + maxUnits) ? start + maxUnits - 1 : start + maxUnits;
    yield text.slice(start, end);
    start = end;
  }
}

/** Each half of a pair would be escaped on its own. */
function cutsPair(text: string, at: number): boolean {
  return at < text.length && isSurrogate(text.charCodeAt(at - 1), 0xd800) && isSurrogate(text.charCodeAt(at), 0xdc00);
}

function isSurrogate(unit: number, firstOfHalf: 0xd800 | 0xdc00): boolean {
  return unit >= firstOfHalf && unit < firstOfHalf + 0x400;
}
