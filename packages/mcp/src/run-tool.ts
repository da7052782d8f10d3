import { cancelledOutcome } from './cancelled-outcome.ts';
import { concealError } from './conceal-error.ts';
import { makeOutcomeSafe } from './content/make-outcome-safe.ts';
import { checkArguments } from './input/check-arguments.ts';
import { describeInvalidArguments } from './input/describe-invalid-arguments.ts';
import type { McpLog } from './mcp-log.ts';
import type { Tool, ToolContext, ToolOutcome } from './tool.ts';

/** A call whose arguments have been looked at. */
export type PreparedCall =
  | {
      readonly isAccepted: true;
      /** Never rejects: whatever the tool throws becomes an error outcome, and goes to the log alone. */
      readonly run: (context: ToolContext) => Promise<ToolOutcome>;
    }
  | { readonly isAccepted: false; readonly refusal: ToolOutcome };

/** Checks the arguments of a call by the tool's schema, and runs nothing yet. Never rejects. */
export async function prepareCall(tool: Tool, args: unknown, log: McpLog): Promise<PreparedCall> {
  try {
    const checked = await checkArguments(tool.input, args);
    return checked.isAccepted
      ? { isAccepted: true, run: (context) => runChecked(tool, checked.args, context, log) }
      : { isAccepted: false, refusal: refuseArguments(describeInvalidArguments(tool.name, { ...checked, args })) };
  } catch (error) {
    return { isAccepted: false, refusal: internalError(tool, error, log) };
  }
}

/**
 * Runs one call of a tool. Arguments that the tool does not accept, and whatever it throws, become an error outcome; what was
 * thrown goes to the log alone.
 */
export async function runTool(tool: Tool, args: unknown, context: ToolContext, log: McpLog): Promise<ToolOutcome> {
  const call = await prepareCall(tool, args, log);
  return call.isAccepted ? call.run(context) : call.refusal;
}

async function runChecked(
  tool: Tool,
  args: Parameters<Tool['run']>[0],
  context: ToolContext,
  log: McpLog,
): Promise<ToolOutcome> {
  // Checking takes a moment, in which the call may have been cancelled: a tool only hears of a cancel that comes later.
  if (context.signal.aborted) {
    return cancelledOutcome;
  }
  try {
    return await makeOutcomeSafe(tool, await tool.run(args, context));
  } catch (error) {
    return context.signal.aborted ? cancelledOutcome : internalError(tool, error, log);
  }
}

function refuseArguments(text: string): ToolOutcome {
  return { text, isError: true, detail: { type: 'refused', reason: 'invalid-arguments' } };
}

function internalError({ name }: Tool, error: unknown, log: McpLog): ToolOutcome {
  const text = concealError({ event: 'tool-threw', subject: name, error }, log);
  return { text, isError: true, detail: { type: 'refused', reason: 'internal-error' } };
}
