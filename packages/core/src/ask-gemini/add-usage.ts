import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';

const optionalCounts = ['thoughtTokens', 'cachedTokens', 'toolTokens'] as const;

/** The sums of several runs, one entry for each model, in the order of their first appearance. A count that no run reported stays missing. */
export function addUsage(entries: readonly ModelUsage[]): readonly ModelUsage[] {
  const sums = new Map<string, ModelUsage>();
  for (const entry of entries) {
    const sum = sums.get(entry.model);
    sums.set(entry.model, sum === undefined ? entry : sumOf(sum, entry));
  }
  return [...sums.values()];
}

function sumOf(one: ModelUsage, other: ModelUsage): ModelUsage {
  const optional = optionalCounts.flatMap((name) => {
    const isTold = one[name] !== undefined || other[name] !== undefined;
    return isTold ? [[name, (one[name] ?? 0) + (other[name] ?? 0)] as const] : [];
  });
  return {
    model: one.model,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...Object.fromEntries(optional),
  };
}
