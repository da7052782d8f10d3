import { isRpcError } from '../../handlers/conceal-error.ts';
import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import { sourceOf } from '../../surface/surface.ts';
import type { Extend } from '../legacy/create-mcp-server.ts';
import { greet } from '../legacy/handshake.ts';
import type { ModernServerParts } from '../modern/create-modern-server.ts';
import { discover } from '../modern/discover.ts';
import { claimsModern, readEnvelope } from '../modern/envelope.ts';
import {
  isRequest,
  isRequestId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  refusalOf,
} from '../rpc-message.ts';
import type { EraConnection, StdioLine } from './era-connection.ts';
import { LateConnection } from './late-connection.ts';
import { StdioPipe } from './stdio-pipe.ts';
import type { ServeStdioOptions, StdioServed } from './stdio-served.ts';

/** Changes the handlers of each era: the conformance suite adds features that we do not offer. */
export type EraExtensions = { readonly legacy?: Extend; readonly modern?: ModernServerParts['extend'] };

/** As `serveStdio`, with further handlers. */
export function serveExtended(
  options: ServeStdioOptions,
  extensions: EraExtensions,
  signal: AbortSignal,
): Promise<StdioServed> {
  return new Eras(options, extensions).serve(signal);
}

/**
 * Both eras of the protocol on one line. The first messages of a client, `initialize` and `server/discover`, are answered here, so that they do
 * not wait for the code of either era.
 */
class Eras {
  readonly #server: McpServerOptions;
  readonly #pipe: StdioPipe;
  readonly #legacy: LateConnection;
  readonly #modern: LateConnection;
  readonly #canChange: boolean;
  #onClient: () => void;
  /** An `initialize` that was answered before the code of its era had been loaded. */
  #handshake: RpcRequest | null = null;
  /** The era of requests that do not say theirs: legacy, unless a client has probed and not shaken hands. */
  #usual: EraConnection;
  #hasShakenHands = false;

  constructor({ server, onClient = () => undefined, ...streams }: ServeStdioOptions, extensions: EraExtensions) {
    this.#server = server;
    this.#onClient = onClient;
    this.#canChange = sourceOf(server.surface).onChange !== undefined;
    this.#pipe = new StdioPipe(streams, () => this.#legacy.awaitsQuickAnswers || this.#modern.awaitsQuickAnswers);
    const line: StdioLine = {
      send: (message) => this.#pipe.send(message),
      onerror: (error) => this.#logError(error),
      close: () => this.#pipe.close(),
    };
    this.#legacy = new LateConnection({ line, log: server.log, load: () => this.#loadLegacy(line, extensions.legacy) });
    this.#modern = new LateConnection({ line, log: server.log, load: () => this.#loadModern(line, extensions.modern) });
    this.#usual = this.#legacy;
  }

  async serve(signal: AbortSignal): Promise<StdioServed> {
    const close = (): void => this.#pipe.close();
    this.#pipe.onmessage = (message) => this.#receive(message);
    this.#pipe.onerror = (error) => this.#logError(error);
    this.#pipe.onclose = () => {
      this.#legacy.end();
      this.#modern.end();
    };
    this.#pipe.start();
    signal.addEventListener('abort', close, { once: true });
    if (signal.aborted) {
      close();
    }
    const end = await this.#pipe.ended;
    signal.removeEventListener('abort', close);
    const callsEnded = Promise.all([this.#legacy.callsEnded(), this.#modern.callsEnded()]).then(() => undefined);
    return { ...end, callsEnded };
  }

  #receive(message: RpcMessage): void {
    if (isRequest(message) && message.method === 'server/discover') {
      this.#usual = this.#hasShakenHands ? this.#legacy : this.#modern;
      this.#answerProbe(message);
      return;
    }
    if (isHandshake(message)) {
      this.#hasShakenHands = true;
      this.#usual = this.#legacy;
    }
    if (!(isHandshake(message) && this.#answerHandshake(message))) {
      this.#connectionOf(message).receive(message);
    }
    const onClient = this.#onClient;
    this.#onClient = () => undefined;
    onClient();
  }

  #connectionOf(message: RpcMessage): EraConnection {
    if (claimsModern(message)) {
      return this.#modern;
    }
    if (!('method' in message)) {
      // Only servers of the legacy era send requests, so only those get answers.
      return this.#legacy;
    }
    if (!('id' in message)) {
      return cancels(message, this.#modern) ? this.#modern : this.#legacy;
    }
    return this.#usual;
  }

  #answerProbe({ id, params }: RpcRequest): void {
    try {
      readEnvelope(params);
      this.#send({ jsonrpc: '2.0', id, result: discover(this.#server, this.#canChange) });
    } catch (error) {
      if (!isRpcError(error)) {
        throw error;
      }
      this.#send(refusalOf(id, error));
    }
  }

  /** Answers the first `initialize`, if it is a usual one and no message of its era has come before. */
  #answerHandshake(message: RpcRequest): boolean {
    const canChange = this.#canChange || this.#server.asksForRoots === true;
    const result = this.#legacy.isIdle ? greet(this.#server, canChange, message.params) : null;
    if (result === null) {
      return false;
    }
    this.#handshake = message;
    this.#send({ jsonrpc: '2.0', id: message.id, result });
    setImmediate(() => this.#legacy.load());
    return true;
  }

  async #loadLegacy(line: StdioLine, extend: Extend | undefined): Promise<EraConnection> {
    const { LegacyConnection } = await import('../legacy/stdio/legacy-connection.ts');
    const connection = new LegacyConnection(this.#server, line, extend);
    if (this.#handshake !== null) {
      await connection.resume(this.#handshake);
    }
    return connection;
  }

  async #loadModern(line: StdioLine, extend: ModernServerParts['extend']): Promise<EraConnection> {
    const { ModernConnection } = await import('../modern/modern-connection.ts');
    return new ModernConnection(this.#server, line, extend);
  }

  #send(message: RpcMessage): void {
    this.#pipe.send(message).catch(() => undefined);
  }

  #logError(error: Error): void {
    this.#server.log({ event: 'protocol-error', correlationId: null, subject: null, error });
  }
}

/** Whether a client opens in the legacy era. */
function isHandshake(message: RpcMessage): message is RpcRequest {
  return isRequest(message) && message.method === 'initialize' && !claimsModern(message);
}

/** Whether a notification cancels a request of this connection. */
function cancels(message: RpcNotification, connection: EraConnection): boolean {
  const id = message.params?.['requestId'];
  return message.method === 'notifications/cancelled' && isRequestId(id) && connection.has(id);
}
