import type { McpCaller, McpHttpOptions } from './mcp-http-options.ts';
import { ServerPerRequest } from './server-per-request.ts';

/**
 * Streamable HTTP without sessions: each request is answered by a server of its own. `initialize` names its client with an id,
 * of which nothing is kept: it only lets a notification cancel a request of the same client that runs here at that moment.
 */
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

/** Makes the endpoint. `close()` it before the program ends. */
export function createStatelessEndpoint(options: McpHttpOptions): StatelessEndpoint {
  return new ServerPerRequest(options);
}
