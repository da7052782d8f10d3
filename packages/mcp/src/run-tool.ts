import { concealError } from './conceal-error.ts';
import { describeInvalidArguments } from './invalid-arguments.ts';
import type { McpLog } from './mcp-log.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

/** The outcome of a call that nobody waits for any more. */
export const cancelled: ToolOutcome = {
  text: 'The call was cancelled.',
  isError: true,
  detail: { type: 'refused', reason: 'cancelled' },
};

/** A call whose arguments have been looked at. */
export type PreparedCall =
  | {
      readonly isAccepted: true;
      /** Never rejects: whatever the tool throws becomes an error outcome, and goes to the log alone. */
      readonly run: (context: ToolContext) => Promise<ToolOutcome>;
    }
  | { readonly isAccepted: false; readonly refusal: ToolOutcome };

/** Parses the arguments of a call by the tool's schema, and runs nothing yet. */
export function prepareCall(tool: Tool, args: unknown, log: McpLog): PreparedCall {
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) {
    const text = describeInvalidArguments(tool.name, tool.input, args, parsed.error);
    return {
      isAccepted: false,
      refusal: { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } },
    };
  }
  return {
    isAccepted: true,
    run: async (context) => {
      try {
        return await tool.run(parsed.data, context);
      } catch (error) {
        return context.signal.aborted ? cancelled : internalError(tool, error, log);
      }
    },
  };
}

/**
 * Runs one call of a tool. Arguments that the tool does not accept, and whatever it throws, become an error outcome; what was
 * thrown goes to the log alone.
 */
export async function runTool(tool: Tool, args: unknown, context: ToolContext, log: McpLog): Promise<ToolOutcome> {
  const call = prepareCall(tool, args, log);
  return call.isAccepted ? call.run(context) : call.refusal;
}

function internalError({ name }: Tool, error: unknown, log: McpLog): ToolOutcome {
  const text = concealError({ event: 'tool-threw', subject: name, error }, log);
  return { text, isError: true, detail: { type: 'refused', reason: 'internal-error' } };
}
