/** MCP over HTTP: endpoints that answer web requests with responses, behind a router of yours. */

export type { SessionEndpoint, SessionEndpointOptions } from './edges/legacy/http/bound-sessions.ts';
export { createSessionEndpoint } from './edges/legacy/http/bound-sessions.ts';
export type { McpCaller, McpHttpOptions, SessionLimits } from './edges/legacy/http/mcp-http-options.ts';
export type { StatelessEndpoint } from './edges/legacy/http/server-per-request.ts';
export { createStatelessEndpoint } from './edges/legacy/http/server-per-request.ts';
