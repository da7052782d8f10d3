import { isNumber, isRecord, isText, listOf, type Shape } from '../json/shape.ts';
import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';

/** What Google charges for tokens of a model over the Gemini API, in US dollars for a million. */
export type ModelPrice = {
  readonly models: readonly string[];
  /** The first day of this price in UTC, as `YYYY-MM-DD`. The price before it holds until then. Missing for the earliest. */
  readonly from?: string;
  readonly input: number;
  /** Of answers and thoughts. */
  readonly output: number;
  /** Of input from Google's cache; as `input` if missing. */
  readonly cached?: number;
  /** With more input tokens than this, all tokens cost `factor` times as much. */
  readonly above?: { readonly inputTokens: number; readonly factor: number };
};

/** Google's prices as read in November 2026. docs/configuration.md shows them as a table. */
export const modelPrices: readonly ModelPrice[] = [
  { models: ['gemini-4-carbon', 'gemini-4-argon'], input: 2, output: 10, cached: 0.1 },
  { models: ['gemini-4-carbon', 'gemini-4-argon'], from: '2026-12-01', input: 4, output: 20, cached: 0.2 },
  {
    models: ['gemini-3.1-pro-preview'],
    input: 2,
    output: 12,
    above: { inputTokens: 200_000, factor: 2 },
  },
  { models: ['gemini-3.8-flash'], input: 0.75, output: 3.75 },
  { models: ['gemini-3.8-flash'], from: '2027-01-01', input: 1.5, output: 7.5 },
  { models: ['gemini-3.5-flash-lite'], input: 0.3, output: 2.5 },
];

const tokensOfPrice = 1_000_000;

/**
 * The cost of tokens at a price, in US dollars. The Gemini API would charge it: searches, discounts and free tiers are not in it.
 */
export function costOf(usage: ModelUsage, price: ModelPrice): number {
  const { inputTokens, outputTokens, thoughtTokens = 0, cachedTokens = 0, toolTokens = 0 } = usage;
  const cached = Math.min(cachedTokens, inputTokens);
  const input = (inputTokens - cached + toolTokens) * price.input + cached * (price.cached ?? price.input);
  const dollars = (input + (outputTokens + thoughtTokens) * price.output) / tokensOfPrice;
  return price.above !== undefined && inputTokens > price.above.inputTokens ? dollars * price.above.factor : dollars;
}

/** The price of a model at a moment; null if the prices do not name the model. */
export function priceAt(model: string, atMs: number, prices: readonly ModelPrice[]): ModelPrice | null {
  const day = dayOf(atMs);
  const begun = prices.filter(({ models, from = '' }) => models.includes(model) && from <= day);
  return begun.reduce<ModelPrice | null>(
    (latest, price) => (latest === null || (price.from ?? '') >= (latest.from ?? '') ? price : latest),
    null,
  );
}

/** The day of a moment in UTC, as `YYYY-MM-DD`. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

const isPrice: Shape<number> = (value): value is number => isNumber(value) && value >= 0;

const isModelPrice: Shape<ModelPrice> = (value): value is ModelPrice => {
  const names = ['models', 'from', 'input', 'output', 'cached', 'above'];
  if (!isRecord(value) || Object.keys(value).some((name) => !names.includes(name))) {
    return false;
  }
  const { models, from, input, output, cached, above } = value;
  return (
    listOf(isText)(models) &&
    models.length > 0 &&
    (from === undefined || (isText(from) && /^\d{4}-\d\d-\d\d$/.test(from))) &&
    isPrice(input) &&
    isPrice(output) &&
    (cached === undefined || isPrice(cached)) &&
    (above === undefined || (isRecord(above) && isPrice(above['inputTokens']) && isPrice(above['factor'])))
  );
};

/** Reads a list of prices from JSON. Returns why the text is not one, as the end of a sentence. */
export function readPrices(text: string): readonly ModelPrice[] | string {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (!Array.isArray(list)) {
    return 'it is not a list';
  }
  const wrong = list.findIndex((price) => !isModelPrice(price));
  return wrong === -1 ? list.filter(isModelPrice) : `its entry ${wrong + 1} is not a price`;
}
