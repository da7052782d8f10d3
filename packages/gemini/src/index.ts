/** Gemini for programs: `createGemini`, its options and its results. */

export type { ChatReplyOptions, GeminiChat } from './calls/gemini-chat.ts';
export type { GeminiWorkResult } from './calls/gemini-work.ts';
export { createGemini } from './create-gemini.ts';
export type { Gemini } from './gemini.ts';
export type {
  AskOptions,
  CallOptions,
  ChatOptions,
  ContextOptions,
  GeminiOptions,
  PreviewOptions,
  RunOptions,
  SearchOptions,
  ToolSessionOptions,
  UndoOptions,
  WorkOptions,
} from './gemini-options.ts';
export type { GeminiParts } from './gemini-parts.ts';
export type {
  ChatReplyResult,
  ContextResult,
  GeminiAnswer,
  GeminiNoAnswer,
  GeminiResult,
  StreamPiece,
  WebSearchResult,
} from './gemini-result.ts';
export type { McpServer } from './mcp-server.ts';
