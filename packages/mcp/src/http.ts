/** MCP over HTTP: endpoints that answer web requests with responses, behind a router of yours. */
export { createSessionEndpoint } from './http/create-session-endpoint.ts';
export { createStatelessEndpoint } from './http/create-stateless-endpoint.ts';
export type { McpCaller } from './http/mcp-caller.ts';
export type { McpHttpOptions, SessionLimits } from './http/mcp-http-options.ts';
export type { SessionEndpoint, SessionEndpointOptions } from './http/session-endpoint.ts';
export type { StatelessEndpoint } from './http/stateless-endpoint.ts';
