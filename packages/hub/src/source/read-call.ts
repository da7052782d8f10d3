import type { LentCall, StepRefusal } from '@gemini-mcp/core';
import { refuse } from './refusal.ts';
import { callTool } from './search-declarations.ts';
import type { ToolShelf } from './tool-shelf.ts';

/** Which tool a call is of, by the name under which it is lent, and its arguments under the names that Gemini knows. */
export type ReadCall =
  | { readonly refusal: null; readonly name: string; readonly args: Readonly<Record<string, unknown>> }
  | { readonly refusal: StepRefusal };

/** The Gemini CLI (0.61) adds it to the arguments of each tool, and hands it on. */
const addedByCli = 'wait_for_previous';

/** Reads a call of a tool, or of `call_tool`. */
export function readCall({ name, arguments: args }: LentCall, shelf: ToolShelf): ReadCall {
  if (name !== callTool) {
    return { refusal: null, name, args: ownArguments(name, args, shelf) };
  }
  const { name: called, arguments: given } = args;
  const passed = typeof given === 'string' ? parseObject(given) : given;
  if (typeof called !== 'string' || !isObject(passed)) {
    return { refusal: refuse('invalid-arguments', 'name is the name of a tool, and arguments an object.') };
  }
  return { refusal: null, name: called, args: ownArguments(called, passed, shelf) };
}

/** Without what the CLI adds, unless the tool has such an argument itself. */
function ownArguments(
  name: string,
  args: Readonly<Record<string, unknown>>,
  { byName }: ToolShelf,
): Readonly<Record<string, unknown>> {
  const properties = byName.get(name)?.lent.inputSchema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, addedByCli)) {
    return args;
  }
  const { [addedByCli]: _, ...own } = args;
  return own;
}

/** Models write an object as its text at times. */
function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
