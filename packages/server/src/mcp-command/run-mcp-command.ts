import type { McpResult } from './mcp-place.ts';
import { refused } from './mcp-results.ts';
import { type OpenMcpPlaceOptions, openMcpPlace } from './open-mcp-place.ts';
import { runMcp } from './run-mcp.ts';
import { readMcpWords } from './read-mcp-words.ts';

export type McpCommandOptions = Omit<OpenMcpPlaceOptions, 'sources' | 'principal'> &
  OpenMcpPlaceOptions['sources'] & {
    /** All that comes after `mcp`. */
    readonly words: readonly string[];
  };

/** Runs a command of a user at a terminal for other MCP servers. Throws a `ConfigurationError` for words or settings that are wrong. */
export async function runMcpCommand(options: McpCommandOptions, signal: AbortSignal): Promise<McpResult> {
  const { program, version, words } = options;
  const { action, flags, principal } = readMcpWords(words, program);
  const sources = { ...options, flags: new Map([...(options.flags ?? []), ...flags]) };
  const place = await openMcpPlace({ program, sources, version, principal });
  try {
    return await runMcp(action, place, signal);
  } catch (error) {
    if (signal.aborted) {
      return refused('Ended before it was done.');
    }
    throw error;
  }
}
