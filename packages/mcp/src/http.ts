/** MCP over HTTP: endpoints that answer web requests with responses, behind a router of yours. */

export type { McpCaller, McpHttpOptions, SessionLimits } from './http/mcp-http-options.ts';
export type { SessionEndpoint, SessionEndpointOptions } from './http/session-endpoint.ts';
export { createSessionEndpoint } from './http/session-endpoint.ts';
export type { StatelessEndpoint } from './http/stateless-endpoint.ts';
export { createStatelessEndpoint } from './http/stateless-endpoint.ts';
