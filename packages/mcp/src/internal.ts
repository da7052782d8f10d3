/** For the other packages of this project. Anything here may change in any release: what others may use is the main entry. */
export { createMcpServer, type Extend, type McpServer } from './create-mcp-server.ts';
export { BoundSessions } from './http/bound-sessions.ts';
export { OpenStreams } from './http/open-streams.ts';
export { maxBatchMessages } from './http/read-body.ts';
export { ServerPerRequest } from './http/server-per-request.ts';
export { type ServedCall, ToolServer, type ToolServerOptions } from './http/tool-server.ts';
export { checkArguments } from './input/check-arguments.ts';
export { describeInvalidArguments } from './input/describe-invalid-arguments.ts';
export { makeReady } from './loaded-surface.ts';
export { createPrompts, type PromptsOptions } from './prompts/create-prompts.ts';
export { cannotAsk } from './questions/cannot-ask.ts';
export type { RequestExtra, RequestHandler, RequestHandlers } from './request-handlers.ts';
export { readText } from './request-params.ts';
export { type PreparedCall, prepareCall, runTool } from './run-tool.ts';
export { serveOverStdio } from './serve-over-stdio.ts';
export { createTools, selectTools } from './tools/create-tools.ts';
export { describeAccount } from './tools/describe-account.ts';
