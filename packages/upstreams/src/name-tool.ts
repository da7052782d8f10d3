import { modelToolName, type ServerTool } from '@gemini-mcp/core/internal';
import { digestOf } from './digest-of.ts';

/** The name under which Gemini, or a client of ours, knows a tool of another server, as `modelToolName` gives it. */
export function nameTool(tool: ServerTool, reader: 'gemini' | 'client'): string {
  return modelToolName({ ...tool, reader, sha256: digestOf });
}
