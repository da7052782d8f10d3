import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

type OpenRequest = {
  readonly controller: AbortController;
  readonly connection: AbortSignal;
  readonly forgetConnection: () => void;
};

export type RequestToOpen = {
  readonly id: RequestId;
  /** Aborted when nobody can be answered any more. */
  readonly connection: AbortSignal;
  readonly onConnectionClosed: () => void;
};

/**
 * The requests of one client whose handlers run, each with a signal of its own. The SDK's own signals do not serve here: it
 * ignores the cancelling of the ids 0 and '', and knows nothing of the HTTP request that a message came in.
 *
 * An id is taken until its handler has ended, also when nobody waits for the answer any more: otherwise the late answer to the
 * first request of an id would be taken for that to the second.
 */
export class OpenRequests {
  readonly #open = new Map<RequestId, OpenRequest>();

  get size(): number {
    return this.#open.size;
  }

  /** Those that are to be answered. */
  get waiting(): readonly RequestId[] {
    return [...this.#open].flatMap(([id, { controller }]) => (controller.signal.aborted ? [] : [id]));
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** Resolves to the signal for the handler. */
  open({ id, connection, onConnectionClosed }: RequestToOpen): AbortSignal {
    const controller = new AbortController();
    connection.addEventListener('abort', onConnectionClosed, { once: true });
    const forgetConnection = (): void => connection.removeEventListener('abort', onConnectionClosed);
    this.#open.set(id, { controller, connection, forgetConnection });
    if (connection.aborted) {
      onConnectionClosed();
    }
    return controller.signal;
  }

  /** Whether no other request on the same connection is to be answered. */
  isAlone(id: RequestId): boolean {
    const connection = this.#open.get(id)?.connection;
    return !this.waiting.some((other) => other !== id && this.#open.get(other)?.connection === connection);
  }

  /** Aborts the handler, whose answer is to be dropped. Returns whether there was one to abort. */
  giveUp(id: RequestId): boolean {
    const request = this.#open.get(id);
    if (request === undefined || request.controller.signal.aborted) {
      return false;
    }
    request.forgetConnection();
    request.controller.abort();
    return true;
  }

  /** Notes that the handler has ended. Returns whether its answer is wanted. */
  settle(id: RequestId): boolean {
    const request = this.#open.get(id);
    this.#open.delete(id);
    request?.forgetConnection();
    return request !== undefined && !request.controller.signal.aborted;
  }
}
