import { concealError } from '../../handlers/conceal-error.ts';
import type { McpLog } from '../../handlers/mcp-log.ts';
import { errorCodes } from '../../input/request-params.ts';
import { isRequest, type RequestId, type RpcMessage } from '../rpc-message.ts';
import type { EraConnection, StdioLine } from './era-connection.ts';

export type LateConnectionOptions = {
  /** Loads the code of the era. */
  readonly load: () => Promise<EraConnection>;
  readonly line: StdioLine;
  readonly log: McpLog;
};

/** A connection whose code is loaded for its first message. Messages that come before wait in order. */
export class LateConnection implements EraConnection {
  readonly #options: LateConnectionOptions;
  #connection: EraConnection | null = null;
  #loading: Promise<void> | null = null;
  #waiting: RpcMessage[] = [];
  #hasEnded = false;

  constructor(options: LateConnectionOptions) {
    this.#options = options;
  }

  /** Whether no message has asked for the code yet. */
  get isIdle(): boolean {
    return this.#loading === null;
  }

  get isLoaded(): boolean {
    return this.#connection !== null;
  }

  get awaitsQuickAnswers(): boolean {
    return (
      this.#connection?.awaitsQuickAnswers ??
      this.#waiting.some((message) => isRequest(message) && message.method !== 'tools/call')
    );
  }

  has(id: RequestId): boolean {
    return this.#connection?.has(id) ?? this.#waiting.some((message) => 'id' in message && message.id === id);
  }

  receive(message: RpcMessage): void {
    this.hold(message);
    this.load();
  }

  /** The same, but a message that comes before the code waits until something else loads it. */
  hold(message: RpcMessage): void {
    if (this.#connection === null) {
      this.#waiting.push(message);
    } else {
      this.#connection.receive(message);
    }
  }

  /** Loads the code before the first message needs it. */
  load(): void {
    if (!this.#hasEnded) {
      this.#loading ??= this.#loadOnce();
    }
  }

  async callsEnded(): Promise<void> {
    await this.#loading;
    await this.#connection?.callsEnded();
  }

  end(): void {
    this.#hasEnded = true;
    this.#waiting = [];
    this.#connection?.end();
  }

  /** Never rejects. */
  async #loadOnce(): Promise<void> {
    // Clients send several lists at once, and while code loads, nothing is read.
    await new Promise(setImmediate);
    try {
      this.#connection = await this.#options.load();
    } catch (error) {
      this.#refuseWaiting(error);
      this.#loading = null;
      return;
    }
    if (this.#hasEnded) {
      this.#connection.end();
    }
    for (const message of this.#waiting.splice(0)) {
      this.#connection.receive(message);
    }
  }

  #refuseWaiting(error: unknown): void {
    const { line, log } = this.#options;
    const message = concealError({ event: 'protocol-error', subject: null, error }, log);
    for (const request of this.#waiting.splice(0)) {
      if (isRequest(request)) {
        line
          .send({ jsonrpc: '2.0', id: request.id, error: { code: errorCodes.internalError, message } })
          .catch(() => undefined);
      }
    }
  }
}
