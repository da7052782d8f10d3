import * as z from 'zod';
import { copyJson, schemaBounds } from './input/json-schema/copy-json.ts';
import type { ToolInput } from './input/tool-input.ts';

/** The schema of an input or output, whole. */
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
