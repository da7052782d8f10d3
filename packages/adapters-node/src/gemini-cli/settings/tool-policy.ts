import type { ToolAccess } from '@gemini-mcp/core';
import { modelToolPattern } from './lent-server.ts';

/** Does nothing: with no tool at all the CLI would send an empty list of functions, which the API refuses. */
const harmlessTool = 'update_topic';

/** The CLI's own tools that a run may use, and those that it is lent; null for all of them. */
export function chooseTools(tools: ToolAccess, lends: boolean): readonly string[] | null {
  if (tools === 'everything') {
    return null;
  }
  const own = tools === 'web-search' ? ['google_web_search'] : [];
  // Without the harmless one there is a second wall.
  return lends || own.length > 0 ? [...own, ...(lends ? [modelToolPattern] : [])] : [harmlessTool];
}

/** The policy file that denies everything else. */
export function buildPolicy(tools: readonly string[]): string {
  return `[[rule]]
toolName = "*"
decision = "deny"
priority = 900
denyMessage = "Not available in this call."

[[rule]]
toolName = ${JSON.stringify(tools)}
decision = "allow"
priority = 950
`;
}

/**
 * The same choice as the setting `tools.core`, because the CLI ignores a missing policy file. That setting drops the harmless tool, so a
 * run without other tools has the policy alone.
 */
export function coreTools(tools: readonly string[]): readonly string[] | null {
  return tools.every((name) => name === harmlessTool) ? null : tools;
}
