import {
  type ConnectionFailure,
  escapeControls,
  quoteStrangers,
  type ReadingPace,
  type ServerProcess,
  type ServerProcesses,
  type ServerProgram,
} from '@gemini-mcp/core/internal';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { SendFault, TransportOpening } from './connection.ts';
import { describeTooLong } from './connection-limits.ts';
import { GuardedTransport } from './guarded-transport.ts';
import type { Sdk } from './load-sdk.ts';
import { createReadingPace, untilHandled } from './reading-pace.ts';

export type OpenProcessOptions = {
  readonly program: ServerProgram;
  readonly processes: ServerProcesses;
  readonly sdk: Sdk;
  readonly maxMessageBytes: number;
  /** Removes secrets. */
  readonly redact: (text: string) => string;
};

const maxErrorCharacters = 1_000;

/** Starts a server's process. Never rejects. */
export async function openProcess(options: OpenProcessOptions, signal: AbortSignal): Promise<TransportOpening> {
  const { program, processes, sdk, maxMessageBytes, redact } = options;
  const start = await processes.start(program, signal);
  if (!start.started) {
    return { type: 'failed', failure: { kind: 'not-started', detail: redact(start.detail) } };
  }
  const { process } = start;
  const inner = new ProcessTransport({
    process,
    maxMessageBytes,
    parseMessage: sdk.parseMessage,
    onLost: (answerTo, why) => transport.failRequest(answerTo, why),
  });
  const transport = new GuardedTransport(inner);
  const whyOver = async (): Promise<ConnectionFailure> => {
    const { detail, errorText } = await process.ended;
    return inner.isFlooding
      ? { kind: 'flooding', detail: 'It wrote megabytes to its standard output that are not MCP messages.' }
      : { kind: 'ended', detail: describeEnd(redact(detail), redact(errorText)) };
  };
  return {
    type: 'opened',
    opened: {
      transport,
      whyOver,
      strayWords: () => redact(inner.strayWords),
      readFault,
      end: () => transport.close(),
    },
  };
}

const colours = /\p{Cc}\[[\d;]*m/gu;

function describeEnd(detail: string, errorText: string): string {
  const said = errorText.replace(colours, '').trim().slice(-maxErrorCharacters);
  const end = `Its process ended: ${escapeControls(detail)}.`;
  return said === '' ? end : `${end} Its last lines on stderr:\n${quoteStrangers(said)}`;
}

/** The error is the SDK's: writing to a pipe does not fail, and the end of the process closes the connection. */
function readFault(error: unknown): SendFault {
  const said = error instanceof Error ? error.message : String(error);
  return { type: 'error', kind: 'refused', sentence: '', said };
}

type ProcessTransportOptions = {
  readonly process: ServerProcess;
  readonly maxMessageBytes: number;
  /** Returns null for a value that is not a message. */
  readonly parseMessage: (value: unknown) => JSONRPCMessage | null;
  /** Called with the request id of a lost answer, or null if unknown. */
  readonly onLost: (answerTo: number | null, why: string) => void;
};

/** Servers print banners and warnings to standard output; a program that prints more than this is not a server. */
const maxGarbageCharacters = 4_000_000;

const maxStrayCharacters = 200;

/** Messages in one line: a batch, from an older protocol revision. */
const maxBatch = 1_000;

/** The standard streams of a contained process. The SDK's own transport starts the process itself, and ends only the direct child. */
class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The beginning of the first line that was not a message. */
  strayWords = '';
  isFlooding = false;
  readonly #options: ProcessTransportOptions;
  readonly #pace: ReadingPace = createReadingPace();
  readonly #lines: MessageLines;
  #garbageCharacters = 0;
  /** Whether the chunk brought messages other than answers. */
  #hasUnasked = false;
  #closing: Promise<void> | undefined;

  constructor(options: ProcessTransportOptions) {
    this.#options = options;
    this.#lines = new MessageLines(options.maxMessageBytes);
  }

  async start(): Promise<void> {
    void this.#read();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#options.process.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#options.process.end();
    await this.#closing;
  }

  async #read(): Promise<void> {
    try {
      for await (const chunk of this.#options.process.output) {
        await this.#readChunk(chunk);
      }
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    // A server that closed its output cannot answer any more.
    void this.close();
    this.onclose?.();
  }

  async #readChunk(chunk: Uint8Array): Promise<void> {
    let begunAtMs = performance.now();
    for (const line of this.#lines.push(chunk)) {
      this.#takeLine(line);
      this.#pace.count(begunAtMs);
      if (this.#pace.isSpent) {
        await this.#pace.rest();
      }
      begunAtMs = performance.now();
    }
    if (this.#hasUnasked) {
      // The SDK handles notifications after this turn. Don't wait for answers: that would slow down calls on a busy machine.
      this.#hasUnasked = false;
      await untilHandled();
    }
    this.#pace.count(begunAtMs);
    if (this.#pace.isSpent) {
      await this.#pace.rest();
    }
  }

  #takeLine(line: MessageLine): void {
    if (line.type === 'overlong') {
      this.#options.onLost(line.answerTo, describeTooLong(this.#options.maxMessageBytes));
      return;
    }
    const messages = this.#parse(line.text);
    if (messages.length === 0) {
      this.#takeGarbage(line.text);
      return;
    }
    this.#garbageCharacters = 0;
    for (const message of messages) {
      this.#hasUnasked ||= 'method' in message;
      this.onmessage?.(message);
    }
  }

  #takeGarbage(text: string): void {
    this.#garbageCharacters += text.length;
    this.strayWords ||= text.slice(0, maxStrayCharacters);
    if (this.#garbageCharacters > maxGarbageCharacters) {
      this.isFlooding = true;
      void this.close();
    }
  }

  #parse(text: string): readonly JSONRPCMessage[] {
    if (!/^[[{]/.test(text)) {
      return [];
    }
    try {
      const value: unknown = JSON.parse(text);
      const values = Array.isArray(value) ? value.slice(0, maxBatch) : [value];
      return values.flatMap((one) => this.#parseOne(one) ?? []);
    } catch {
      return [];
    }
  }

  #parseOne(value: unknown): JSONRPCMessage | null {
    const message = this.#options.parseMessage(value);
    const isAnswer = typeof value === 'object' && value !== null && 'id' in value && !('method' in value);
    if (message === null && isAnswer && typeof value.id === 'number') {
      this.#options.onLost(value.id, 'Its answer is not an MCP message.');
    }
    return message;
  }
}

const lineFeed = 0x0a;

/** Bytes kept from either end of an overlong line to find the id: servers write it first or last. */
const keptBytes = 512;

type MessageLine =
  | { readonly type: 'line'; readonly text: string }
  /** Dropped. `answerTo` is the request that it answers, or null if unknown. */
  | { readonly type: 'overlong'; readonly answerTo: number | null };

/** Splits a byte stream into non-empty lines. Holds at most one line of the maximum length. */
class MessageLines {
  readonly #maxLineBytes: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** The beginning of a line that is being dropped. */
  #head: Buffer | null = null;
  #tail: Buffer = Buffer.alloc(0);

  constructor(maxLineBytes: number) {
    this.#maxLineBytes = maxLineBytes;
  }

  /** Yields the lines that the chunk completes. Take all of them before the next chunk. */
  *push(chunk: Uint8Array): Generator<MessageLine> {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end !== -1; end = bytes.indexOf(lineFeed, start)) {
      this.#hold(bytes.subarray(start, end));
      start = end + 1;
      const line = this.#finish();
      if (line !== null) {
        yield line;
      }
    }
    this.#hold(bytes.subarray(start));
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) {
      return;
    }
    this.#bytes += piece.length;
    if (this.#head === null && this.#bytes > this.#maxLineBytes) {
      this.#head = Buffer.concat([...this.#pieces, piece.subarray(0, keptBytes)]).subarray(0, keptBytes);
      this.#pieces = [];
    }
    if (this.#head === null) {
      this.#pieces.push(piece);
    } else {
      this.#tail = Buffer.concat([this.#tail, piece.subarray(-keptBytes)]).subarray(-keptBytes);
    }
  }

  #finish(): MessageLine | null {
    const [head, pieces, tail] = [this.#head, this.#pieces, this.#tail];
    this.#pieces = [];
    this.#bytes = 0;
    this.#head = null;
    this.#tail = Buffer.alloc(0);
    if (head !== null) {
      return { type: 'overlong', answerTo: findAnsweredId(head.toString('latin1'), tail.toString('latin1')) };
    }
    const text = Buffer.concat(pieces).toString('utf8').trim();
    return text === '' ? null : { type: 'line', text };
  }
}

/** The id in the two ends of a message: matches only members of the message itself, not nested ones. */
function findAnsweredId(head: string, tail: string): number | null {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*,(?!\s*"method")/.exec(head);
  const last =
    /[}\]"]\s*,\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
      tail,
    );
  const id = first?.[1] ?? last?.[1];
  return id === undefined ? null : Number(id);
}
