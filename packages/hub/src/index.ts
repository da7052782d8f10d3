/** Other MCP servers, whose tools are lent to Gemini and offered to clients. */

export { type ConnectionLimits, defaultConnectionLimits } from './connection/connection-limits.ts';
export { InMemoryKeptLists } from './connection/in-memory-kept-lists.ts';
export {
  Upstream,
  type UpstreamOptions,
  type UpstreamOutcome,
  type UpstreamRequest,
  type UpstreamStatus,
} from './connection/upstream.ts';
export { nameTool } from './name-tool.ts';
