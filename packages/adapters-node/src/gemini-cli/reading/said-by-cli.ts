import type { GeminiFailure } from '@gemini-mcp/core';

/** The failure with the CLI as the one who said its excerpt, also where it passes on what Google said. */
export function saidByCli(failure: GeminiFailure): GeminiFailure {
  return 'excerpt' in failure && failure.excerpt !== '' ? { ...failure, saidBy: 'the Gemini CLI' } : failure;
}
