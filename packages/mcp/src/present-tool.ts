import { type Tool as ListedTool, ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Tool } from './tool.ts';

/** A tool as tools/list shows it. Throws for a tool that cannot be shown, which is a bug of ours. */
export function presentTool(tool: Tool): ListedTool {
  // Without $schema the dialect is 2020-12, which is what zod writes: the line would cost every client tokens for nothing.
  const { $schema: _, ...inputSchema } = z.toJSONSchema(tool.input, { io: 'input' });
  const { name, title, description, annotations } = tool;
  return ToolSchema.parse({ name, title, description, inputSchema, annotations });
}
