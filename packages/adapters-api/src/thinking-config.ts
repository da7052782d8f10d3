import type { ThinkingLevel } from '@gemini-mcp/core';

/** `thinkingConfig` of a `GenerationConfig` of the Gemini API. It takes one of the two, by the model. */
export type ThinkingConfig = { readonly thinkingLevel: string } | { readonly thinkingBudget: number };

type Row = {
  readonly models: RegExp;
  /** Null for models that cannot be told how much to think. */
  readonly levels: Readonly<Record<ThinkingLevel, ThinkingConfig>> | null;
};

const byLevel = {
  low: { thinkingLevel: 'LOW' },
  medium: { thinkingLevel: 'MEDIUM' },
  high: { thinkingLevel: 'HIGH' },
} as const;

/** What Google's endpoint for clients of OpenAI makes of the same words; all models of the family take these budgets, in tokens. */
const byBudget = {
  low: { thinkingBudget: 1_024 },
  medium: { thinkingBudget: 8_192 },
  high: { thinkingBudget: 24_576 },
} as const;

/**
 * The first row that fits a name counts (Google's documentation on thinking, September to November 2026). Models for images and speech
 * answer 400 to a level or a budget, or to some of them; Gemma, and what came before Gemini 2.5, answers 400 to any.
 */
const rows: readonly Row[] = [
  { models: /-(?:image|tts|live|embedding|native-audio)(?:-|$)/, levels: null },
  // Has no MEDIUM. Its HIGH comes nearer to the MEDIUM of its successor than its LOW does.
  { models: /^gemini-3-pro(?:-|$)/, levels: { ...byLevel, medium: { thinkingLevel: 'HIGH' } } },
  { models: /^gemini-2\.5-(?:pro|flash)(?:-|$)/, levels: byBudget },
  { models: /^gemini-(?:[3-9]|[1-9]\d+)(?:\.\d+)?-/, levels: byLevel },
  { models: /^gemini-(?:pro|flash|flash-lite)-latest$/, levels: byLevel },
];

/** What tells a model how much to think; null for one that cannot be told, or of which that is not known. */
export function thinkingConfigOf(model: string, level: ThinkingLevel): ThinkingConfig | null {
  return rows.find(({ models }) => models.test(model))?.levels?.[level] ?? null;
}
