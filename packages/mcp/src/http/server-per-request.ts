import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Extend, McpServer } from '../create-mcp-server.ts';
import { clientKeyOf, nameClient } from './client-id.ts';
import { createCallerServer } from './create-caller-server.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';
import { PostTransport } from './post-transport.ts';
import { readBody } from './read-body.ts';
import { refuseClosing, refuseRpc } from './rpc-refusal.ts';
import type { StatelessEndpoint } from './stateless-endpoint.ts';

/** A POST with requests of which some are not answered yet. */
type RunningPost = {
  /** Null where the client has no id, so that its requests cannot be told from those of others. */
  readonly clientKey: string | null;
  readonly server: McpServer;
  readonly transport: PostTransport;
};

/** The endpoint without sessions. `extend` changes what the server of each request answers. */
export class ServerPerRequest implements StatelessEndpoint {
  readonly #options: McpHttpOptions;
  readonly #extend: Extend | undefined;
  readonly #running = new Set<RunningPost>();
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
      // Where the client is gone already, nobody reads it.
      return refuseClosing();
    }
    const { ids } = read;
    const clientKey = clientKeyOf(request, caller);
    const transport = new PostTransport({
      answersAsJson: !read.callsTool,
      ids,
      connection: caller.signal,
      onAnswered: () => forget(),
      onCancelled: (id) => this.#cancel(clientKey, id),
    });
    let forget = (): unknown => undefined;
    if (ids.length > 0) {
      const server = createCallerServer(this.#options, { ...caller, surface: unannounced(caller) }, this.#extend);
      const post: RunningPost = { clientKey, server, transport };
      // What is answered is not closed: it holds nothing any more, and closing would cost as much as all the rest.
      forget = () => this.#running.delete(post);
      transport.onclose = () => void server.callsEnded().then(forget);
      this.#running.add(post);
      await server.connect(transport);
    } else {
      // No request is to be answered, and what a notification would tell a server is gone with it.
      await transport.start();
    }
    const response = await transport.post(request, body);
    return read.isInitialize ? nameClient(response) : response;
  }

  async callsEnded(): Promise<void> {
    await Promise.all([...this.#running].map(({ server }) => server.callsEnded()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map(({ server }) => server.close()));
  }

  /**
   * Cancels the request of this id of this client. Without an id of the client it does nothing: another client of the same
   * principal may have a request with the same id.
   */
  #cancel(clientKey: string | null, id: RequestId): void {
    for (const post of clientKey === null ? [] : this.#running) {
      if (post.clientKey === clientKey) {
        post.transport.cancel(id);
      }
    }
  }
}

/** A client without a stream cannot be told of a change, and a server that is never closed would listen for ever. */
function unannounced({ surface }: McpCaller): McpCaller['surface'] {
  return 'current' in surface ? { current: (roots) => surface.current(roots) } : surface;
}
