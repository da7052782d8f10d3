import type { McpServerOptions } from '../../handlers/mcp-server-options.ts';
import type { Extend } from '../legacy/create-mcp-server.ts';
import type { ModernServerParts } from '../modern/create-modern-server.ts';
import { claimsModern } from '../modern/envelope.ts';
import { isRequest, isRequestId, type RpcMessage, type RpcNotification, type RpcRequest } from '../rpc-message.ts';
import type { EraConnection, StdioLine } from './era-connection.ts';
import { FirstAnswers } from './first-answers.ts';
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

/** Long enough for a client to list the tools after its handshake, and too short for a user to ask anything. */
const loadAfterMs = 100;

/**
 * Both eras of the protocol on one line. The first messages of a client, `initialize`, `server/discover` and `tools/list`, do not wait for the
 * code of either era, which is loaded after them or for the first other message.
 */
class Eras {
  readonly #server: McpServerOptions;
  readonly #pipe: StdioPipe;
  readonly #legacy: LateConnection;
  readonly #modern: LateConnection;
  readonly #first: FirstAnswers;
  #onClient: () => void;
  #loadTimer: NodeJS.Timeout | undefined;
  /** An `initialize` that was answered before the code of its era had been loaded. */
  #handshake: RpcRequest | null = null;
  /** The era of requests that do not say theirs: legacy, unless a client has probed and not shaken hands. */
  #usual: LateConnection;
  #hasShakenHands = false;

  constructor(options: ServeStdioOptions, extensions: EraExtensions) {
    const { server, onClient = () => undefined, toolsAtStart, ...streams } = options;
    this.#server = server;
    this.#onClient = onClient;
    this.#first = new FirstAnswers({ server, toolsAtStart });
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
      clearTimeout(this.#loadTimer);
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
      this.#send(this.#first.probe(message));
      return;
    }
    if (isHandshake(message)) {
      this.#hasShakenHands = true;
      this.#usual = this.#legacy;
    }
    const connection = this.#connectionOf(message);
    if (!this.#takeEarly(message, connection)) {
      connection.receive(message);
      this.#welcome();
    }
  }

  /** Whether the message needs no code of an era. */
  #takeEarly(message: RpcMessage, connection: LateConnection): boolean {
    if (!isRequest(message)) {
      const isHeld = this.#handshake !== null && connection.isIdle && isInitialized(message);
      if (isHeld) {
        connection.hold(message);
      }
      return isHeld;
    }
    const answer = this.#answerEarly(message, connection);
    if (answer === null) {
      return false;
    }
    this.#send(answer);
    const mayListTools = isHandshake(message) && this.#first.hasTools;
    clearTimeout(this.#loadTimer);
    this.#loadTimer = setTimeout(() => this.#load(connection), mayListTools ? loadAfterMs : 0);
    return true;
  }

  #answerEarly(request: RpcRequest, connection: LateConnection): RpcMessage | null {
    if (isHandshake(request)) {
      const isFirst = this.#handshake === null && connection.isIdle;
      const answer = isFirst ? this.#first.handshake(request) : null;
      this.#handshake = answer === null ? this.#handshake : request;
      return answer;
    }
    if (request.method !== 'tools/list' || connection.isLoaded) {
      return null;
    }
    if (connection === this.#modern) {
      return this.#first.modernTools(request);
    }
    return this.#handshake === null ? null : this.#first.legacyTools(request);
  }

  /** Loads before a message needs it. */
  #load(connection: LateConnection): void {
    connection.load();
    this.#welcome();
  }

  #welcome(): void {
    const onClient = this.#onClient;
    this.#onClient = () => undefined;
    onClient();
  }

  #connectionOf(message: RpcMessage): LateConnection {
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
function isHandshake(message: RpcMessage): boolean {
  return isRequest(message) && message.method === 'initialize' && !claimsModern(message);
}

/** Whether a client says that it has read the answer to its `initialize`. */
function isInitialized(message: RpcMessage): boolean {
  return 'method' in message && !('id' in message) && message.method === 'notifications/initialized';
}

/** Whether a notification cancels a request of this connection. */
function cancels(message: RpcNotification, connection: EraConnection): boolean {
  const id = message.params?.['requestId'];
  return message.method === 'notifications/cancelled' && isRequestId(id) && connection.has(id);
}
