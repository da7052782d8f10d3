/** MCP over HTTP: endpoints that answer web requests with responses, behind your own router. */
import { BoundSessions } from './edges/legacy/http/bound-sessions.ts';
import type {
  McpHttpOptions,
  SessionEndpoint,
  SessionEndpointOptions,
  StatelessEndpoint,
} from './edges/legacy/http/mcp-http-options.ts';
import { ServerPerRequest } from './edges/legacy/http/server-per-request.ts';

export type {
  McpCaller,
  McpHttpOptions,
  SessionEndpoint,
  SessionEndpointOptions,
  SessionLimits,
  StatelessEndpoint,
} from './edges/legacy/http/mcp-http-options.ts';

/** Creates the endpoint. Call `close()` before the program ends. */
export function createSessionEndpoint(options: SessionEndpointOptions): SessionEndpoint {
  return new BoundSessions(options);
}

/** Creates the endpoint. Call `close()` before the program ends. */
export function createStatelessEndpoint(options: McpHttpOptions): StatelessEndpoint {
  return new ServerPerRequest(options);
}
