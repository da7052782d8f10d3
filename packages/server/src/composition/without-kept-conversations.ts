import type { GeminiRunner } from '@gemini-mcp/core';

/** The same runner, which keeps nothing of a conversation for its next turn: neither in memory nor in a file. */
export function withoutKeptConversations(runner: GeminiRunner): GeminiRunner {
  const { countTokens } = runner;
  return {
    capabilities: runner.capabilities,
    capabilitiesFor: (needs) => runner.capabilitiesFor?.(needs) ?? runner.capabilities,
    ...(countTokens !== undefined && { countTokens: countTokens.bind(runner) }),
    run: (request, signal) => runner.run({ ...request, mayContinue: false }, signal),
  };
}
