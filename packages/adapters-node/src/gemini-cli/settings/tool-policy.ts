import type { ToolAccess } from '@gemini-mcp/core';
import { lentToolPattern } from '../lending/lent-server.ts';
import { denyOtherArguments } from './deny-other-arguments.ts';

/** What the CLI calls the tools that look at files and change nothing. */
const readingTools: readonly string[] = ['list_directory', 'read_file', 'glob', 'grep_search'];

/** Does nothing: with no tool at all the CLI would send an empty list of functions, which the API refuses. */
const harmlessTool = 'update_topic';

export type ToolChoice = {
  readonly tools: ToolAccess;
  /** Whether there is anything to read: the run has a directory. */
  readonly hasDirectory: boolean;
  /** Whether that directory is the owner's own rather than a copy from which secrets were left out. */
  readonly isOriginal: boolean;
  /** Whether the run lends tools. It does not when this is missing. */
  readonly lends?: boolean;
};

/** The tools that a run may use; null for all of them. */
export function chooseTools({ lends = false, ...choice }: ToolChoice): readonly string[] | null {
  const own = chooseOwnTools(choice);
  // Where tools are lent, the harmless one is not needed, and without it there is a second wall.
  return lends && own !== null ? [...own.filter((name) => name !== harmlessTool), lentToolPattern] : own;
}

function chooseOwnTools({ tools, hasDirectory, isOriginal }: ToolChoice): readonly string[] | null {
  switch (tools) {
    case 'everything':
      return null;
    case 'web-search':
      return ['google_web_search'];
    case 'read-only':
      return hasDirectory ? readable(isOriginal) : [harmlessTool];
    case 'none':
      return [harmlessTool];
  }
}

/** A search through contents asks no ignore file: where secrets may lie it is left out. */
function readable(isOriginal: boolean): readonly string[] {
  const tools = isOriginal ? readingTools.filter((name) => name !== 'grep_search') : readingTools;
  return [...tools, harmlessTool];
}

/** The policy file that denies everything else, and to the reading tools any argument that is not allowed. */
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

${denyOtherArguments}`;
}

/**
 * The same choice as the setting `tools.core`, a second wall: a policy file that is missing is no error to the CLI. The
 * harmless tool does not survive that setting, so that where it is the only one there is no second wall.
 */
export function coreTools(tools: readonly string[]): readonly string[] | null {
  return tools.every((name) => name === harmlessTool) ? null : tools;
}
