import type { WorkBudget } from '@gemini-mcp/core';
import type { Configuration } from '../settings/configuration.ts';

/** The most that a run with tools may use up. */
export function budgetOf({
  agentSteps: maxSteps,
  agentTokens: maxTokens,
  agentBytes: maxWrittenBytes,
}: Pick<Configuration, 'agentSteps' | 'agentTokens' | 'agentBytes'>): WorkBudget {
  return { maxSteps, maxTokens, maxWrittenBytes };
}
