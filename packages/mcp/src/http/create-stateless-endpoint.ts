import type { McpHttpOptions } from './mcp-http-options.ts';
import { ServerPerRequest } from './server-per-request.ts';
import type { StatelessEndpoint } from './stateless-endpoint.ts';

/** Makes the endpoint. `close()` it before the program ends. */
export function createStatelessEndpoint(options: McpHttpOptions): StatelessEndpoint {
  return new ServerPerRequest(options);
}
