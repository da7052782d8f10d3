import type { GeminiRunner } from '@gemini-mcp/core';

/** The same runner, which keeps nothing of a conversation for its next turn: neither in memory nor in a file. */
export function withoutKeptConversations(runner: GeminiRunner): GeminiRunner {
  return {
    capabilities: runner.capabilities,
    run: (request, signal) => runner.run({ ...request, mayContinue: false }, signal),
  };
}
