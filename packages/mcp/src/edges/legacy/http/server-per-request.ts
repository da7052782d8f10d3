import type { McpCaller, McpHttpOptions, StatelessEndpoint } from '../../mcp-http-options.ts';
import type { Extend, McpServer } from '../create-mcp-server.ts';
import { createMcpServer } from '../create-mcp-server.ts';
import type { ConnectionRequests } from '../requests/connection-requests.ts';
import { PendingRequests } from '../requests/connection-requests.ts';
import { TrackingTransport } from '../requests/tracking-transport.ts';
import { HttpTransport } from './http-transport.ts';
import { readBody, refuseClosing, refuseRpc } from './read-body.ts';

/** The endpoint without sessions. `extend` changes the handlers of each request's server. */
export class ServerPerRequest implements StatelessEndpoint {
  readonly #options: McpHttpOptions;
  readonly #extend: Extend | undefined;
  readonly #ledger = new PendingRequests();
  #isClosed = false;

  constructor(options: McpHttpOptions, extend?: Extend) {
    this.#options = options;
    this.#extend = extend;
  }

  async post(request: Request, body: unknown, caller: McpCaller): Promise<Response> {
    const read = readBody(body, request.headers.get('mcp-protocol-version'));
    if (read.type === 'refused') {
      return refuseRpc(read.refusal);
    }
    if (this.#isClosed || caller.signal.aborted) {
      // A client that has disconnected does not read it.
      return refuseClosing();
    }
    const { requests, hasRequests, callsTool, isInitialize } = read;
    const page = this.#ledger.openPage({ client: clientKeyOf(request, caller) });
    const arrival = page.open(requests, caller.signal);
    const transport = new HttpTransport({ page, sessionId: null, answersAsJson: !callsTool });
    // Notifications need no answer, and a server for one request would forget them at once.
    await (hasRequests
      ? this.#serverFor(caller, page).connect(transport)
      : new TrackingTransport(transport, page).start());
    const response = await transport.post(request, body, arrival);
    return isInitialize ? nameClient(response) : response;
  }

  /** Hides changes: a client without a stream cannot get a notice, and a server that is never closed would listen for ever. */
  #serverFor(caller: McpCaller, page: ConnectionRequests): McpServer {
    const { owner, surface } = caller;
    const unannounced = 'current' in surface ? { current: surface.current.bind(surface) } : surface;
    const options = { ...this.#options, ownerOf: () => owner, surface: unannounced };
    return createMcpServer(options, { extend: this.#extend, page });
  }

  callsEnded(): Promise<void> {
    return this.#ledger.callsEnded();
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#ledger.close();
    return Promise.resolve();
  }
}

/** The header in which Streamable HTTP clients repeat the id from `initialize`. */
const header = 'Mcp-Session-Id';

/** Any visible ASCII, as the protocol requires; longer than any server's ids is ignored. */
const usable = /^[\x21-\x7e]{1,128}$/;

/** Gives the initialized client an id. The id is not stored, so any server can answer the next request. */
function nameClient(response: Response): Response {
  if (response.ok) {
    response.headers.set(header, globalThis.crypto.randomUUID());
  }
  return response;
}

/**
 * Distinguishes one client of a principal from its others and from the clients of other principals. Null if the request has no valid
 * id. Accepts an id that another server gave.
 */
function clientKeyOf({ headers }: Request, { owner }: Pick<McpCaller, 'owner'>): string | null {
  const id = headers.get(header);
  return id !== null && usable.test(id) ? JSON.stringify([owner, id]) : null;
}
