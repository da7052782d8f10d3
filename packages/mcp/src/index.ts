export type { ClientRootUris } from './client-roots.ts';
export type { Completer } from './completion/completer.ts';
export type { McpServerOptions } from './create-mcp-server.ts';
export { createSurface, type SurfaceOptions } from './create-surface.ts';
export type { McpLog, McpLogEntry } from './mcp-log.ts';
export { createPrompts, type PromptsOptions } from './prompts/create-prompts.ts';
export type { Prompt, PromptArgument, PromptMessage, PromptText } from './prompts/prompt.ts';
export { createResources, type ResourcesOptions } from './resources/create-resources.ts';
export type { ModelHealthReport } from './resources/models-page.ts';
export type { ResourceEntry, ResourceShelf, ResourceTemplate, ResourceText } from './resources/resource-shelf.ts';
export { type PreparedCall, prepareCall } from './run-tool.ts';
export { type ServeStdioOptions, type StdioServed, serveStdio } from './serve-stdio.ts';
export type { Surface } from './surface.ts';
export type { SurfaceContext } from './surface-context.ts';
export type {
  RefusalReason,
  Tool,
  ToolAnnotations,
  ToolContext,
  ToolDetail,
  ToolOutcome,
  ToolProgress,
} from './tool.ts';
export { createTools, selectTools, type ToolSelection, type ToolsOptions } from './tools/create-tools.ts';
export { describeAccount } from './tools/describe-account.ts';
export type { RunPolicy } from './tools/run-settings-of.ts';
