export {
  createLegacySseEndpoint,
  type LegacySseEndpoint,
  type LegacySseEndpointOptions,
} from './http/legacy-sse-endpoint.ts';
export type { McpCaller } from './http/mcp-caller.ts';
export type { McpHttpOptions, SessionLimits } from './http/mcp-http-options.ts';
export { maxBatchMessages } from './http/read-body.ts';
export { createSessionEndpoint, type SessionEndpoint, type SessionEndpointOptions } from './http/session-endpoint.ts';
export { createStatelessEndpoint, type StatelessEndpoint } from './http/stateless-endpoint.ts';
