/** MCP over HTTP: endpoints that answer web requests with responses, for use in your own router. */
import { BoundSessions } from './edges/legacy/http/bound-sessions.ts';
import { ServerPerRequest } from './edges/legacy/http/server-per-request.ts';
import type {
  McpHttpOptions,
  SessionEndpoint,
  SessionEndpointOptions,
  StatelessEndpoint,
} from './edges/mcp-http-options.ts';
import { ModernEndpoint } from './edges/modern/http/modern-endpoint.ts';
import { withModernEra } from './edges/with-modern-era.ts';

export type {
  McpCaller,
  McpHttpOptions,
  SessionEndpoint,
  SessionEndpointOptions,
  SessionLimits,
  StatelessEndpoint,
} from './edges/mcp-http-options.ts';

/** Creates the endpoint, which also answers the stateless requests of revision 2026-07-28. Call `close()` before the program ends. */
export function createSessionEndpoint(options: SessionEndpointOptions): SessionEndpoint {
  const sessions = new BoundSessions(options);
  const both = withModernEra(sessions, new ModernEndpoint(options));
  return {
    ...both,
    get: (request, caller) => sessions.get(request, caller),
    delete: (request, caller) => sessions.delete(request, caller),
    get load() {
      return sessions.load;
    },
  };
}

/** Creates the endpoint. Call `close()` before the program ends. */
export function createStatelessEndpoint(options: McpHttpOptions): StatelessEndpoint {
  return withModernEra(new ServerPerRequest(options), new ModernEndpoint(options));
}
