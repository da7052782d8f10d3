/** The MCP surface: all that a server offers, a way to serve it over stdio, and the types of your own tools, prompts and resources. */

export type { ContentBlock, EmbeddedResource } from './content/content-block.ts';
export { makeBlocksSafe, type SafeBlocksOptions } from './content/make-blocks-safe.ts';
export { createSurface, type SurfaceOptions } from './create-surface.ts';
export { serveStdio } from './edges/stdio/serve-stdio.ts';
export type { ServeStdioOptions, StdioEnd, StdioServed, StdioTransportOptions } from './edges/stdio/stdio-served.ts';
export type { McpLog, McpLogEntry } from './handlers/mcp-log.ts';
export type { Introduction, McpServerOptions } from './handlers/mcp-server-options.ts';
export { findSchemaProblem } from './input/check-arguments.ts';
export type { JsonObject, JsonSchemaInput, ToolArguments, ToolInput } from './input/tool-input.ts';
export type { CompletePath } from './prompts/gemini-instructions.ts';
export type {
  Ask,
  CannotAskReason,
  Question,
  QuestionChoice,
  QuestionField,
  QuestionOutcome,
  QuestionValue,
} from './questions/question.ts';
export type { KnownModels } from './resources/models-page.ts';
export { ChangingSurface } from './surface/changing-surface.ts';
export type {
  Completer,
  CompletionContext,
  Prompt,
  PromptArgument,
  PromptMessage,
  PromptText,
  Suggestions,
} from './surface/prompt.ts';
export type {
  ResourceContent,
  ResourceContents,
  ResourceEntry,
  ResourceProvider,
  ResourceTemplate,
  ResourceText,
} from './surface/resource-provider.ts';
export type { Scope } from './surface/scope.ts';
export type { Surface, SurfaceSource } from './surface/surface.ts';
export type { ClientRootUris, SurfaceContext } from './surface/surface-context.ts';
export {
  ClientTimedOut,
  type Conversation,
  type Patience,
  type RefusalReason,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolDetail,
  type ToolOutcome,
  type ToolProgress,
  type ToolScopes,
} from './surface/tool.ts';
export type { ToolSelection, ToolsOptions } from './tools/create-tools.ts';
export type { AgentPolicy } from './tools/gemini-agent-tool.ts';
export type { UndoRun } from './tools/gemini-undo-tool.ts';
export type { ClientFailureWords } from './tools/present-failure.ts';
export type { RunPolicy } from './tools/run-settings-of.ts';
