export type { McpCaller } from './http/mcp-caller.ts';
export type { McpHttpOptions, SessionLimits } from './http/mcp-http-options.ts';
export { createStatelessEndpoint, type StatelessEndpoint } from './http/stateless-endpoint.ts';
