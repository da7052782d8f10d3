import type { ModelUsage } from '@gemini-mcp/core';

/** The tokens of a run, as the API's `usageMetadata` has them. What it leaves out is left out here, but for input and output. */
export function usageOf(model: string, metadata: Readonly<Record<string, unknown>>): ModelUsage {
  const count = (name: string): number | null => {
    const value = metadata[name];
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
  };
  const [thoughts, cached, tool] = ['thoughtsTokenCount', 'cachedContentTokenCount', 'toolUsePromptTokenCount'].map(
    count,
  );
  return {
    model,
    inputTokens: count('promptTokenCount') ?? 0,
    outputTokens: count('candidatesTokenCount') ?? 0,
    ...(thoughts != null && { thoughtTokens: thoughts }),
    ...(cached != null && { cachedTokens: cached }),
    ...(tool != null && { toolTokens: tool }),
  };
}
