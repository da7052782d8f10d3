import type { WorkBudget } from '@gemini-mcp/core';

/** The most that a run with tools, or one message of a conversation, may use up. The tokens are estimated: each step sends the conversation again. */
export const runBudget: WorkBudget = { maxSteps: 200, maxTokens: 10_000_000, maxWrittenBytes: 20_000_000 };
