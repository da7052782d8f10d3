export type { McpServerOptions } from './create-mcp-server.ts';
export { createGeminiQueryTool, type GeminiQueryToolOptions } from './gemini-query/gemini-query-tool.ts';
export type { McpLog, McpLogEntry } from './mcp-log.ts';
export { type ServeStdioOptions, type StdioServed, serveStdio } from './serve-stdio.ts';
export type { Tool, ToolAnnotations, ToolContext, ToolOutcome, ToolProgress } from './tool.ts';
