import { maxResultBytes, utf8Length } from '@gemini-mcp/core/internal';
import { checkArguments } from '../input/check-arguments.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type { Tool, ToolOutcome } from '../tool.ts';
import { makeBlocksSafe } from './make-blocks-safe.ts';

/**
 * An outcome as it may leave: its blocks made safe, its structured content held against the schema that the tool declares. Rejects
 * where a tool breaks its own schema, which is a bug of the tool.
 */
export async function makeOutcomeSafe(tool: Tool, outcome: ToolOutcome): Promise<ToolOutcome> {
  if (tool.output === undefined && outcome.blocks === undefined && outcome.structured === undefined) {
    return outcome;
  }
  const structured = outcome.isError ? undefined : await checkStructured(tool, outcome);
  const { blocks, structured: _, ...rest } = outcome;
  const saysAll = tool.structuresFreely === true && blocks !== undefined && blocks.length > 0;
  const text = rest.text === '' && structured !== undefined && !saysAll ? JSON.stringify(structured) : rest.text;
  return {
    ...rest,
    text,
    ...(blocks !== undefined && {
      blocks: makeBlocksSafe(blocks, { textBefore: text, uriSchemes: tool.uriSchemes ?? [] }),
    }),
    ...(structured !== undefined && { structured }),
  };
}

async function checkStructured(
  { output, structuresFreely = false }: Tool,
  { structured }: ToolOutcome,
): Promise<ToolOutcome['structured']> {
  if (output === undefined) {
    if (structured !== undefined && !structuresFreely) {
      throw new Error('The tool has structured content without a schema: it declares no output');
    }
    return structured === undefined ? undefined : withinBounds(structured);
  }
  const checked = await checkArguments(output, structured);
  if (!checked.isAccepted) {
    const places = checked.problems.map(({ path, type }) => `${path.join('.')}: ${type}`);
    throw new Error(`The structured content is not as the tool declares its output: ${places.join(', ')}`);
  }
  return withinBounds(checked.args);
}

function withinBounds(structured: JsonObject): JsonObject {
  if (utf8Length(JSON.stringify(structured)) > maxResultBytes) {
    throw new Error(`The structured content is longer than ${maxResultBytes} bytes`);
  }
  return structured;
}
