import type { ReadingPace, ServerProcess } from '@gemini-mcp/core/internal';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { createReadingPace } from './create-reading-pace.ts';
import { MessageLines } from './message-lines.ts';

export type ProcessTransportOptions = {
  readonly process: ServerProcess;
  readonly maxMessageBytes: number;
  /** Null for what is no message. */
  readonly parseMessage: (value: unknown) => JSONRPCMessage | null;
  /** A message was too long and is lost. */
  readonly onOverlong: (answerTo: number | null) => void;
  /** It wrote something with the number of a request that is no message. */
  readonly onUnreadable: (answerTo: number) => void;
  /** It wrote this much in a row that is no message: it is not a server, or broken for good. */
  readonly onGarbage: () => void;
};

/** Servers print banners and warnings to standard output; what is more than that is no server. */
const maxGarbageCharacters = 4_000_000;

const maxStrayCharacters = 200;

/** Several messages in one line, as an older revision has them. */
const maxBatch = 1_000;

/** The standard streams of a contained process. The SDK's own transport starts a process itself, and ends only the direct child. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: ProcessTransportOptions;
  readonly #pace: ReadingPace = createReadingPace();
  readonly #lines: MessageLines;
  #garbageCharacters = 0;
  #strayWords: string | null = null;
  #closing: Promise<void> | undefined;

  constructor(options: ProcessTransportOptions) {
    this.#options = options;
    this.#lines = new MessageLines(options.maxMessageBytes);
  }

  /** The beginning of the first line that was no message; null where there was none. */
  get strayWords(): string | null {
    return this.#strayWords;
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
    // One that has closed its output can answer nothing any more.
    void this.close();
    this.onclose?.();
  }

  async #readChunk(chunk: Uint8Array): Promise<void> {
    let begunAtMs = performance.now();
    for (const line of this.#lines.push(chunk)) {
      if (line.type === 'line') {
        this.#take(line.text);
      } else {
        this.#options.onOverlong(line.answerTo);
      }
      this.#pace.count(begunAtMs);
      if (this.#pace.isSpent) {
        await this.#pace.rest();
      }
      begunAtMs = performance.now();
    }
    this.#pace.count(begunAtMs);
    if (this.#pace.isSpent) {
      await this.#pace.rest();
    }
  }

  #take(text: string): void {
    const messages = this.#parse(text);
    if (messages.length === 0) {
      this.#garbageCharacters += text.length;
      this.#strayWords ??= text.slice(0, maxStrayCharacters);
      if (this.#garbageCharacters > maxGarbageCharacters) {
        this.#options.onGarbage();
      }
      return;
    }
    this.#garbageCharacters = 0;
    for (const message of messages) {
      this.onmessage?.(message);
    }
  }

  #parse(text: string): readonly JSONRPCMessage[] {
    if (!/^[[{]/.test(text)) {
      return [];
    }
    try {
      const value: unknown = JSON.parse(text);
      const values = Array.isArray(value) ? value.slice(0, maxBatch) : [value];
      return values.flatMap((one) => this.#parseOne(one));
    } catch {
      return [];
    }
  }

  #parseOne(value: unknown): readonly JSONRPCMessage[] {
    const message = this.#options.parseMessage(value);
    if (message !== null) {
      return [message];
    }
    const isAnswer = typeof value === 'object' && value !== null && 'id' in value && !('method' in value);
    if (isAnswer && typeof value.id === 'number') {
      this.#options.onUnreadable(value.id);
    }
    return [];
  }
}
