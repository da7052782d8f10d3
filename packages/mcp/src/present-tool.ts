import { type Tool as ListedTool, ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { listedSchema } from './listed-schema.ts';
import { publishedSchema } from './published-schema.ts';
import type { Tool } from './tool.ts';

/** A tool as tools/list shows it. Throws for a tool that cannot be shown, which is a bug in the surface. */
export function presentTool(tool: Tool): ListedTool {
  const { name, title, description, annotations, output } = tool;
  return ToolSchema.parse({
    name,
    title,
    description,
    inputSchema: listedSchema(tool),
    ...(output !== undefined && { outputSchema: publishedSchema(output, 'output') }),
    annotations,
  });
}
