import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageExtraInfo,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { timeoutIn } from '../../../handlers/call-limits.ts';
import type { ConnectionRequests } from './connection-requests.ts';
import type { RequestCarrier } from './ledger-entry.ts';
import { duplicateIdReason } from './ledger-entry.ts';

/**
 * Any transport, with its requests in a page of the ledger. The SDK's server gets each request under the ledger's number. So a late
 * answer cannot pass for that of a second request with the same id, and the SDK's own cancelling, which ignores the ids 0 and '',
 * is not needed.
 */
export class TrackingTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;

  readonly #carrier: RequestCarrier;
  readonly #page: ConnectionRequests;

  constructor(carrier: RequestCarrier, page: ConnectionRequests) {
    this.#carrier = carrier;
    this.#page = page;
    page.attach(carrier);
  }

  start(): Promise<void> {
    this.#carrier.onmessage = (message, extra) => this.#receive(message, extra);
    this.#carrier.onerror = (error) => this.onerror?.(error);
    this.#carrier.onclose = () => {
      this.#page.close();
      this.onclose?.();
    };
    return this.#carrier.start();
  }

  /** Drops messages that no one wants any more: the answer to a cancelled request, and its progress. */
  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message) {
      await this.#sendOwn(message, options);
      return;
    }
    const id = message.id === undefined ? null : this.#page.settle(message.id);
    if (id !== null) {
      await this.#carrier.send({ ...message, id });
    }
  }

  async close(): Promise<void> {
    this.#page.close();
    await this.#carrier.close();
  }

  async #sendOwn(message: JSONRPCMessage, { relatedRequestId }: TransportSendOptions = {}): Promise<void> {
    if (relatedRequestId === undefined) {
      await this.#carrier.send(numberedFromOne(message));
      return;
    }
    const id = this.#page.idOf(relatedRequestId);
    if (id !== null) {
      await this.#carrier.send(numberedFromOne(message), { relatedRequestId: id });
    } else if ('id' in message) {
      throw new Error('The request that asks the client is over');
    }
  }

  #receive(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): void {
    if ('method' in message && 'id' in message) {
      this.#deliver(message, extra);
      return;
    }
    const cancelled = cancelledId(message);
    if (cancelled !== null) {
      this.#page.cancel(cancelled, timeoutIn('method' in message ? message.params?.['reason'] : undefined));
    } else if (!this.#page.isClosed) {
      this.onmessage?.('method' in message ? message : numberedFromZero(message), extra);
    }
  }

  #deliver(request: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
    const number = this.#page.deliver(request);
    if (number === 'duplicate') {
      this.onerror?.(new Error(duplicateIdReason));
      const error = { code: ErrorCode.InvalidRequest, message: duplicateIdReason };
      this.#carrier.send({ jsonrpc: '2.0', id: request.id, error }).catch(() => undefined);
    } else if (number !== 'cancelled') {
      this.onmessage?.({ ...request, id: number }, extra);
    }
  }
}

/** The id that a message cancels, or null if it cancels nothing. */
function cancelledId(message: JSONRPCMessage): RequestId | null {
  if (!('method' in message) || 'id' in message || message.method !== 'notifications/cancelled') {
    return null;
  }
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/**
 * A message of the SDK's server with its request ids counted from 1. The SDK counts from 0, and its clients ignore the cancelling of
 * request 0: they would keep showing a withdrawn question.
 */
function numberedFromOne(message: JSONRPCMessage): JSONRPCMessage {
  if ('method' in message && 'id' in message) {
    return typeof message.id === 'number' ? { ...message, id: message.id + 1 } : message;
  }
  const cancelled = cancelledId(message);
  return 'method' in message && typeof cancelled === 'number'
    ? { ...message, params: { ...message.params, requestId: cancelled + 1 } }
    : message;
}

/** A client's answer to such a request, with the id that the SDK's server knows. */
function numberedFromZero(message: JSONRPCMessage): JSONRPCMessage {
  return !('method' in message) && typeof message.id === 'number' ? { ...message, id: message.id - 1 } : message;
}
