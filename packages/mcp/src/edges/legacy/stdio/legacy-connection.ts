import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { McpServerOptions } from '../../../handlers/mcp-server-options.ts';
import type { RequestId, RpcMessage, RpcRequest } from '../../rpc-message.ts';
import type { EraConnection, StdioLine } from '../../stdio/era-connection.ts';
import { createMcpServer, type Extend, type McpServer } from '../create-mcp-server.ts';
import { findInvalidInitialize } from '../invalid-initialize.ts';

/** Serves the revisions with a handshake over the line that the other era shares. `extend` changes the handlers. */
export class LegacyConnection implements EraConnection {
  readonly #server: McpServer;
  readonly #transport: LineTransport;
  readonly #line: StdioLine;

  constructor(server: McpServerOptions, line: StdioLine, extend?: Extend) {
    this.#line = line;
    this.#server = createMcpServer(server, { extend });
    this.#transport = new LineTransport(line);
    void this.#server.connect(this.#transport);
  }

  get awaitsQuickAnswers(): boolean {
    return this.#server.page.awaitsQuickAnswers;
  }

  has(id: RequestId): boolean {
    return this.#server.page.isTaken(id);
  }

  receive(message: RpcMessage): void {
    const invalid = findInvalidInitialize(message);
    if (invalid === null) {
      this.#transport.onmessage?.(message);
      return;
    }
    const { id, code, reason } = invalid;
    this.#line.onerror(new Error(reason));
    void this.#line.send({ jsonrpc: '2.0', ...(id !== null && { id }), error: { code, message: reason } });
  }

  /** Takes over a connection whose `initialize` has been answered. Resolves once the SDK has answered it for itself, unheard. */
  resume(initialize: RpcRequest): Promise<void> {
    return new Promise((resolve) => {
      this.#transport.onUnheard = resolve;
      this.#transport.onmessage?.(initialize);
    });
  }

  callsEnded(): Promise<void> {
    return this.#server.callsEnded();
  }

  end(): void {
    this.#transport.onclose?.();
  }
}

/** The SDK's side of a line. */
class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Called with the next message in place of the client; null once it has been. */
  onUnheard: (() => void) | null = null;
  readonly #line: StdioLine;

  constructor(line: StdioLine) {
    this.#line = line;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.onUnheard === null) {
      await this.#line.send(message);
      return;
    }
    this.onUnheard();
    this.onUnheard = null;
  }

  close(): Promise<void> {
    this.#line.close();
    return Promise.resolve();
  }
}
