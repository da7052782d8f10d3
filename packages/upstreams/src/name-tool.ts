import { modelToolName, type ServerTool } from '@gemini-mcp/core/internal';
import { digestOf } from './digest-of.ts';

/** The name of another server's tool for Gemini or a client. See `modelToolName`. */
export function nameTool(tool: ServerTool, reader: 'gemini' | 'client'): string {
  return modelToolName({ ...tool, reader, sha256: digestOf });
}
