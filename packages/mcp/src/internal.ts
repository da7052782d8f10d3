/** For the other packages of this project. Anything here may change in any release; the main entry holds the public exports. */
export {
  createMcpServer,
  type Extend,
  type McpServer,
  type RequestExtra,
  type RequestHandler,
  type RequestHandlers,
} from './edges/legacy/create-mcp-server.ts';
export { BoundSessions } from './edges/legacy/http/bound-sessions.ts';
export { maxBatchMessages } from './edges/legacy/http/read-body.ts';
export { ServerPerRequest } from './edges/legacy/http/server-per-request.ts';
export { type ServedCall, ToolServer, type ToolServerOptions } from './edges/legacy/http/tool-server.ts';
export type { ModernCaller, ModernHandler, ModernHandlers } from './edges/modern/create-modern-server.ts';
export { ModernEndpoint } from './edges/modern/http/modern-endpoint.ts';
export { ModernConnection } from './edges/modern/modern-connection.ts';
export { type EraExtensions, serveExtended } from './edges/stdio/eras.ts';
export { withModernEra } from './edges/with-modern-era.ts';
export { makeReady } from './handlers/loaded-surface.ts';
export { type PreparedCall, prepareCall, runCall } from './handlers/run-call.ts';
export { checkArguments } from './input/check-arguments.ts';
export { describeInvalidArguments } from './input/describe-invalid-arguments.ts';
export { repairArguments } from './input/repair-arguments.ts';
export { RpcError, readText } from './input/request-params.ts';
export { createPrompts, type PromptsOptions } from './prompts/create-prompts.ts';
export { cannotAsk } from './questions/call-questions.ts';
export type { SearchTools } from './servers/find-tools-tool.ts';
export { OfferedServers, type OfferedServersOptions } from './servers/offered-servers.ts';
export type { ServerChoice } from './servers/server-catalog.ts';
export { scopesOfServerTool } from './servers/server-tool.ts';
export { findTool } from './surface/find-tool.ts';
export { createTools, selectTools } from './tools/create-tools.ts';
