import type { ToolAccess } from '@gemini-mcp/core';
import { modelToolPattern } from './model-tools.ts';

/** Does nothing: without any tool the CLI would send an empty list of functions, which the API rejects. */
const harmlessTool = 'update_topic';

/** The CLI's own tools and the model tools that a run may use; null for all of them. */
export function chooseTools(tools: ToolAccess, hasModelTools: boolean): readonly string[] | null {
  if (tools === 'everything') {
    return null;
  }
  const own = tools === 'web-search' ? ['google_web_search'] : [];
  // Leaving out the harmless one adds a second safeguard.
  return hasModelTools || own.length > 0 ? [...own, ...(hasModelTools ? [modelToolPattern] : [])] : [harmlessTool];
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
 * The same choice as a `tools.core` setting, because the CLI ignores a missing policy file. That setting drops the harmless tool, so a
 * run without other tools relies on the policy alone.
 */
export function coreTools(tools: readonly string[]): readonly string[] | null {
  return tools.every((name) => name === harmlessTool) ? null : tools;
}
