import { AsyncLocalStorage } from 'node:async_hooks';
import type { buildConnector } from 'undici';

/** As many as one request may open, one after the other. A second one is needed where a kept connection was closed in passing. */
const maxConnections = 3;

type Opening = { readonly signal: AbortSignal; connections: number };

/**
 * Bounds what undici does while it opens a connection for a request. It looks at the signal only when the connection is there: a server
 * with which TLS does not come about would hold the request for ten seconds, a proxy that does not answer for five minutes.
 * And it tries for ever where a proxy hangs up, or speaks before it is asked.
 */
export class OpeningConnections {
  readonly #running = new AsyncLocalStorage<Opening>();

  /** Does what opens connections. They close with the signal, but only until this resolves: then they may serve another request. */
  async until<Result>(open: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const opening = new AbortController();
    const abort = (): void => opening.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await this.#running.run({ signal: opening.signal, connections: 0 }, open);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  /** A connector of undici's with these bounds. */
  watch(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      const opening = this.#running.getStore();
      if (opening === undefined) {
        return connect(options, callback);
      }
      opening.connections += 1;
      if (opening.connections > maxConnections) {
        return callback(new Error('The connection was closed each time it was opened'), null);
      }
      // It returns the socket, which its types do not say.
      const socket: unknown = connect(options, callback);
      if (isSocket(socket)) {
        const destroy = (): void =>
          socket.destroy(new Error('The request was aborted while its connection was opened'));
        opening.signal.addEventListener('abort', destroy, { once: true });
      }
    };
  }
}

function isSocket(value: unknown): value is { destroy(error: Error): void } {
  return typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function';
}
