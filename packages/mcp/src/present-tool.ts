import { type Tool as ListedTool, ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { copyJson, schemaBounds } from './input/json-schema/copy-json.ts';
import type { ToolInput } from './input/tool-input.ts';
import type { Tool } from './tool.ts';

/** A tool as tools/list shows it. Throws for a tool that cannot be shown, which is a bug in the surface. */
export function presentTool(tool: Tool): ListedTool {
  const { name, title, description, annotations, input, output } = tool;
  return ToolSchema.parse({
    name,
    title,
    description,
    inputSchema: publishedSchema(input, 'input'),
    ...(output !== undefined && { outputSchema: publishedSchema(output, 'output') }),
    annotations,
  });
}

/** The schema of an input or output as it is published. */
export function publishedSchema(input: ToolInput, io: 'input' | 'output'): unknown {
  if (!('jsonSchema' in input)) {
    // Without $schema the dialect is 2020-12, which is what zod writes: the line would cost every client tokens for nothing.
    const { $schema: _, ...schema } = z.toJSONSchema(input, { io });
    return schema;
  }
  const copied = copyJson(input.jsonSchema, schemaBounds);
  if (!copied.isCopied) {
    throw new Error(`A JSON Schema ${copied.problem}`);
  }
  return copied.copy;
}
