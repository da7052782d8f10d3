import type { Extend, McpServer } from '../create-mcp-server.ts';
import { createCallerServer } from './create-caller-server.ts';
import type { McpCaller } from './mcp-caller.ts';
import type { McpHttpOptions } from './mcp-http-options.ts';
import { PostTransport } from './post-transport.ts';
import { readBody } from './read-body.ts';
import { refuseClosing, refuseRpc } from './rpc-refusal.ts';

/** Streamable HTTP without sessions: each request is answered by a server of its own, which knows of no other request. */
export type StatelessEndpoint = {
  /**
   * Answers a POST whose body has been parsed: a call of a tool as a stream of events, which begins at once, whatever else as
   * JSON. Resolves, with a refusal where need be; once `caller.signal` is aborted, what runs for the request is cancelled.
   */
  post(request: Request, body: unknown, caller: McpCaller): Promise<Response>;
  /** Resolves when every call that was running has come to its end, cancelled ones included. Never rejects. */
  callsEnded(): Promise<void>;
  /** Aborts what runs, telling those who wait, and refuses what comes. */
  close(): Promise<void>;
};

export function createStatelessEndpoint(options: McpHttpOptions, extend?: Extend): StatelessEndpoint {
  return new ServerPerRequest(options, extend);
}

class ServerPerRequest implements StatelessEndpoint {
  readonly #options: McpHttpOptions;
  readonly #extend: Extend | undefined;
  readonly #running = new Set<McpServer>();
  #isClosed = false;

  constructor(options: McpHttpOptions, extend: Extend | undefined) {
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
    const answersAsJson = !read.callsTool;
    if (read.ids.length === 0) {
      // Nobody is to be answered, and what a notification would tell a server is gone with it.
      const transport = new PostTransport({ answersAsJson, onAnswered: () => undefined });
      return transport.post(request, body, caller.signal);
    }
    const server = createCallerServer(this.#options, caller, this.#extend);
    const forget = (): boolean => this.#running.delete(server);
    // What is answered is not closed: it holds nothing any more, and closing would cost as much as all the rest.
    const transport = new PostTransport({ answersAsJson, onAnswered: forget });
    transport.onclose = () => void server.callsEnded().then(forget);
    this.#running.add(server);
    await server.connect(transport);
    return transport.post(request, body, caller.signal);
  }

  async callsEnded(): Promise<void> {
    await Promise.all([...this.#running].map((server) => server.callsEnded()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((server) => server.close()));
  }
}
