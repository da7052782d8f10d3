/** MCP over HTTP: endpoints that answer web requests with responses, behind a router of yours. */

export type { McpCaller, McpHttpOptions, SessionLimits } from './edges/legacy/http/mcp-http-options.ts';
export type { SessionEndpoint, SessionEndpointOptions } from './edges/legacy/http/session-endpoint.ts';
export { createSessionEndpoint } from './edges/legacy/http/session-endpoint.ts';
export type { StatelessEndpoint } from './edges/legacy/http/stateless-endpoint.ts';
export { createStatelessEndpoint } from './edges/legacy/http/stateless-endpoint.ts';
