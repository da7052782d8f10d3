import type { Extend, McpServer } from '../create-mcp-server.ts';
import { createMcpServer } from '../create-mcp-server.ts';
import type { ConnectionRequests } from '../requests/connection-requests.ts';
import { PendingRequests } from '../requests/connection-requests.ts';
import { TrackingTransport } from '../requests/tracking-transport.ts';
import { HttpTransport } from './http-transport.ts';
import type { McpCaller, McpHttpOptions, StatelessEndpoint } from './mcp-http-options.ts';
import { readBody, refuseClosing, refuseRpc } from './read-body.ts';

/** The endpoint without sessions. `extend` changes what the server of each request answers. */
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
      // A client that has gone already does not read it.
      return refuseClosing();
    }
    const { requests, hasRequests, callsTool, isInitialize } = read;
    const page = this.#ledger.openPage({ client: clientKeyOf(request, caller) });
    const arrival = page.open(requests, caller.signal);
    const transport = new HttpTransport({ page, sessionId: null, answersAsJson: !callsTool });
    // Without a request nothing is to be answered, and a server would lose at once what a notification tells it.
    await (hasRequests
      ? this.#serverFor(caller, page).connect(transport)
      : new TrackingTransport(transport, page).start());
    const response = await transport.post(request, body, arrival);
    return isInitialize ? nameClient(response) : response;
  }

  /** A client without a stream cannot be told of a change, and a server that is never closed would listen for ever. */
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

/** The header by which clients of Streamable HTTP repeat what `initialize` has given them. */
const header = 'Mcp-Session-Id';

/** Any visible ASCII, as the protocol has it; longer than what any server gives is not looked at. */
const usable = /^[\x21-\x7e]{1,128}$/;

/** Gives the client that has initialized an id. Nothing of it is kept, so that any server can answer its next request. */
function nameClient(response: Response): Response {
  if (response.ok) {
    response.headers.set(header, globalThis.crypto.randomUUID());
  }
  return response;
}

/**
 * What tells one client of a principal from another, and from all clients of other principals. Null where the request brings no
 * id that can be used. Whether this server has given the id is not asked.
 */
function clientKeyOf({ headers }: Request, { owner }: Pick<McpCaller, 'owner'>): string | null {
  const id = headers.get(header);
  return id !== null && usable.test(id) ? JSON.stringify([owner, id]) : null;
}
