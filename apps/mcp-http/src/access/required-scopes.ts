import type { Tool } from '@gemini-mcp/mcp';
import { type Scope, scopes } from '@gemini-mcp/mcp/internal/declarations';
import { inOrder } from './scope.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * The scopes that a token needs for a call with arguments that are not parsed yet: all, for a tool that declares none. Arguments that
 * the tool does not expect need more scopes rather than fewer.
 */
export function requiredScopes(tool: Pick<Tool, 'scopes'>, args: unknown): readonly Scope[] {
  if (tool.scopes === undefined) {
    return scopes;
  }
  const given = isArguments(args) ? args : {};
  const { always, byArgument } = tool.scopes;
  const forArguments = Object.entries(byArgument).flatMap(([name, needed]) => (isGiven(given, name) ? needed : []));
  return inOrder([...always, ...forArguments]);
}

function isArguments(args: unknown): args is Arguments {
  return typeof args === 'object' && args !== null;
}

/** Not where it says what leaving it out would say. */
function isGiven(args: Arguments, name: string): boolean {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
