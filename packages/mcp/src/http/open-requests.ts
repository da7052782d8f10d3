import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

type OpenRequest = {
  readonly controller: AbortController;
  readonly connection: AbortSignal | null;
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
  /** One listener for all requests of a connection: Node warns of more than ten on a signal, and a batch may hold a hundred. */
  readonly #byConnection = new Map<AbortSignal, Set<RequestId>>();
  readonly #onConnectionClosed: (id: RequestId) => void;

  /** `onConnectionClosed` is called for each request whose connection closes before its handler has ended. */
  constructor(onConnectionClosed: (id: RequestId) => void) {
    this.#onConnectionClosed = onConnectionClosed;
  }

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

  /** Returns the signal for the handler. The connection is aborted when nobody can be answered on it any more. */
  open(id: RequestId, connection: AbortSignal | null): AbortSignal {
    const controller = new AbortController();
    this.#open.set(id, { controller, connection });
    if (connection !== null) {
      this.#idsOf(connection).add(id);
      if (connection.aborted) {
        this.#onConnectionClosed(id);
      }
    }
    return controller.signal;
  }

  /** The signal of an open request, or null where there is no request with this id. */
  signalOf(id: RequestId): AbortSignal | null {
    return this.#open.get(id)?.controller.signal ?? null;
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
    request.controller.abort();
    return true;
  }

  /** Notes that the handler has ended. Returns whether its answer is wanted. */
  settle(id: RequestId): boolean {
    const request = this.#open.get(id);
    if (request === undefined) {
      return false;
    }
    this.#open.delete(id);
    this.#leave(id, request.connection);
    return !request.controller.signal.aborted;
  }

  #idsOf(connection: AbortSignal): Set<RequestId> {
    const known = this.#byConnection.get(connection);
    if (known !== undefined) {
      return known;
    }
    const ids = new Set<RequestId>();
    this.#byConnection.set(connection, ids);
    connection.addEventListener('abort', this.#noteClosedConnections);
    return ids;
  }

  #leave(id: RequestId, connection: AbortSignal | null): void {
    const ids = connection === null ? undefined : this.#byConnection.get(connection);
    ids?.delete(id);
    if (connection !== null && ids?.size === 0) {
      this.#byConnection.delete(connection);
      connection.removeEventListener('abort', this.#noteClosedConnections);
    }
  }

  readonly #noteClosedConnections = (): void => {
    for (const [connection, ids] of this.#byConnection) {
      if (connection.aborted) {
        ids.forEach(this.#onConnectionClosed);
      }
    }
  };
}
