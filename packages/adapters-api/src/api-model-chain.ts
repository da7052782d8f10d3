import type { ModelChain } from '@gemini-mcp/core';

/**
 * For callers who name no model, best first (November 2026). Gemini 4 is for keys with billing alone: any other key is told so by a
 * quota of zero, after which `AskGemini` asks the next ones first for a while. The last two are on the free tier as well. The CLI
 * is given the same names where it takes over a request: 0.61.0 asks for each of them as it is called.
 */
export const apiModelChain: ModelChain = [
  'gemini-4-carbon',
  'gemini-4-argon',
  'gemini-3.8-flash',
  'gemini-3.5-flash-lite',
];
