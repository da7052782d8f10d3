import { modelToolName, type ServerTool } from '@gemini-mcp/core/internal';
import { digestOf } from './digest-of.ts';

/** The name by which Gemini, or a client, calls another server's tool. See `modelToolName`. */
export function nameTool(tool: ServerTool, reader: 'gemini' | 'client'): string {
  return modelToolName({ ...tool, reader, sha256: digestOf });
}
