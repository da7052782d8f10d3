import type { ReviewEstimate } from '@gemini-mcp/core';
import { costOf, escapeName, modelPrices, priceAt } from '@gemini-mcp/core/internal';

/** What an answer with its thoughts rarely exceeds. */
const outputTokensOfQuestion = 8_000;

type CostLimit = {
  /** The models that may answer, best first. */
  readonly models: readonly string[];
  /** In US dollars; null for no limit. */
  readonly maxCost: number | null;
  readonly nowMs: number;
  readonly tell: (line: string) => void;
};

/** Shows what a review may cost by its dearest model. Returns null, or the reason for not beginning it. */
export function approveCost(estimate: ReviewEstimate, { models, maxCost, nowMs, tell }: CostLimit): string | null {
  const unpriced = models.find((model) => priceAt(model, nowMs, modelPrices) === null);
  if (unpriced !== undefined) {
    // Without a price for each model that may answer, no limit holds.
    return maxCost === null ? null : `The price of ${escapeName(unpriced)} is unknown. ${nameOther}`;
  }
  const costs = models.flatMap((model) => costWith(model, estimate, nowMs) ?? []);
  const cost = Math.max(...costs);
  tell(`Estimated cost over the Gemini API: up to ${formatDollars(cost)}`);
  return maxCost === null || cost <= maxCost
    ? null
    : `The estimated cost of ${formatDollars(cost)} is above --max-cost ${formatDollars(maxCost)}. Review a smaller change, or raise it.`;
}

const nameOther = 'Name a model with a known price in --model, or leave --max-cost out.';

function costWith(model: string, { questions, inputTokens }: ReviewEstimate, nowMs: number): number | null {
  const price = priceAt(model, nowMs, modelPrices);
  const usage = { model, inputTokens: inputTokens / questions, outputTokens: outputTokensOfQuestion };
  return price === null ? null : costOf(usage, price) * questions;
}

function formatDollars(amount: number): string {
  return `$${(Math.ceil(amount * 100) / 100).toFixed(2)}`;
}
