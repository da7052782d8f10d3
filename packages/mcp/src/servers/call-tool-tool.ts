import * as z from 'zod';
import { checkArguments } from '../input/check-arguments.ts';
import { describeInvalidArguments } from '../input/describe-invalid-arguments.ts';
import { quoteValue } from '../quote-value.ts';
import type { Tool, ToolContext, ToolOutcome } from '../tool.ts';
import { serverScopes, worst } from './server-tool.ts';
import type { ToolDesk } from './tool-desk.ts';

/** Makes `call_tool`: the name of a tool of another server and its arguments to the result of the tool. */
export function createCallToolTool(desk: ToolDesk): Tool {
  const input = z.strictObject({
    name: z.string().max(200).describe('As find_tools has it.'),
    arguments: z.record(z.string(), z.unknown()).default({}).describe('By the schema that find_tools shows.'),
  });
  const tool: Tool<typeof input> = {
    name: 'call_tool',
    title: 'Call a tool of another server',
    description: "Calls a tool of the user's other MCP servers, found with find_tools.",
    input,
    annotations: worst,
    group: 'servers',
    scopes: { always: serverScopes, byArgument: {} },
    uriSchemes: ['gemini'],
    structuresFreely: true,
    run: (args, context) => callTool(args, context, desk),
  };
  return tool;
}

async function callTool(
  { name, arguments: args }: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  context: ToolContext,
  desk: ToolDesk,
): Promise<ToolOutcome> {
  const found = await desk.find(name);
  if (found === null) {
    const nearest = await desk.nearest(name);
    return refuse(
      `There is no tool ${quoteValue(name)}. ${nearest === null ? 'Look for one with find_tools.' : `Did you mean ${nearest}?`}`,
    );
  }
  const made = await desk.make(found);
  if ('problem' in made) {
    return refuse(made.problem);
  }
  const checked = await checkArguments(made.tool.input, args);
  return checked.isAccepted
    ? await made.tool.run(checked.args, context)
    : refuse(describeInvalidArguments(found.name, { ...checked, args }));
}

function refuse(text: string): ToolOutcome {
  return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
}
