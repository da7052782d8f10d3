/** MCP over HTTP: endpoints that answer web requests with responses, behind a router of yours. */

export type { SessionEndpoint, SessionEndpointOptions } from './http/bound-sessions.ts';
export { createSessionEndpoint } from './http/bound-sessions.ts';
export type { McpCaller, McpHttpOptions, SessionLimits } from './http/mcp-http-options.ts';
export type { StatelessEndpoint } from './http/server-per-request.ts';
export { createStatelessEndpoint } from './http/server-per-request.ts';
