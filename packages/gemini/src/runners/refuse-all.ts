import { apiCapabilities } from '@gemini-mcp/adapters-api';
import type { GeminiRunner } from '@gemini-mcp/core';

/** Replaces the runner for the API: every call gets the reason why nothing may be sent. */
export function refuseAll(fault: string): GeminiRunner {
  return {
    capabilities: { ...apiCapabilities(null), needsKeyOfCall: false, tokenCount: false },
    async *run() {
      yield { type: 'failure', failure: { kind: 'configuration', excerpt: fault } };
    },
  };
}
