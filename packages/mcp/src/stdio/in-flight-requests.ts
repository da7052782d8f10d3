import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/**
 * The ids of the requests that wait for an answer. A second request of the same id would take over the first one's
 * cancellation, and the client could not tell their answers apart.
 */
export class InFlightRequests {
  readonly #methods = new Map<RequestId, string>();

  /** Whether a request waits that is no tool call: such ones are answered within moments. */
  get holdsQuickOnes(): boolean {
    return [...this.#methods.values()].some((method) => method !== 'tools/call');
  }

  /** Notes an incoming message. Returns the id of a request that must be refused as a duplicate, else null. */
  admit(message: JSONRPCMessage): RequestId | null {
    if (!('method' in message && 'id' in message)) {
      return null;
    }
    if (this.#methods.has(message.id)) {
      return message.id;
    }
    this.#methods.set(message.id, message.method);
    return null;
  }

  /** Forgets the request that an outgoing message answers. */
  settle(message: JSONRPCMessage): void {
    if (!('method' in message) && message.id !== undefined) {
      this.#methods.delete(message.id);
    }
  }

  /** Forgets a request that was cancelled: it is never answered. */
  forget(id: RequestId): void {
    this.#methods.delete(id);
  }
}

/** The id that a message cancels, or null where it cancels nothing. */
export function cancelledId(message: JSONRPCMessage): RequestId | null {
  if (!('method' in message) || 'id' in message || message.method !== 'notifications/cancelled') {
    return null;
  }
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
