import { concealError } from './conceal-error.ts';
import { describeInvalidArguments } from './invalid-arguments.ts';
import type { McpLog } from './mcp-log.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

/** The outcome of a call that nobody waits for any more. */
export const cancelled: ToolOutcome = { text: 'The call was cancelled.', isError: true };

/**
 * Runs one call of a tool. Arguments that the tool does not accept, and whatever it throws, become an error outcome; what was
 * thrown goes to the log alone.
 */
export async function runTool(tool: Tool, args: unknown, context: ToolContext, log: McpLog): Promise<ToolOutcome> {
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) {
    return { text: describeInvalidArguments(tool.name, tool.input, args, parsed.error), isError: true };
  }
  try {
    return await tool.run(parsed.data, context);
  } catch (error) {
    if (context.signal.aborted) {
      return cancelled;
    }
    return { text: concealError({ event: 'tool-threw', subject: tool.name, error }, log), isError: true };
  }
}
