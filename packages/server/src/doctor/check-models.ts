import { describeRetirement } from '@gemini-mcp/core/internal';
import type { Check } from './check.ts';

/** Whether Google serves the models of the chain, by the dates that are known. */
export function checkModels(modelChain: readonly string[], nowMs: number): Check {
  const name = 'Models';
  const retired = modelChain.flatMap((model) => describeRetirement(model, nowMs) ?? []);
  return retired.length === 0
    ? { name, status: 'ok', found: modelChain.join(', '), fix: null }
    : { name, status: 'warn', found: retired.join(' '), fix: 'Take them out of GEMINI_MCP_MODELS.' };
}
