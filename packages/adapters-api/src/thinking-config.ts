import type { ThinkingLevel } from '@gemini-mcp/core';

/** `thinkingConfig` of a `GenerationConfig` of the Gemini API. It has one of the two, by the model. */
export type ThinkingConfig = { readonly thinkingLevel: string } | { readonly thinkingBudget: number };

type Row = {
  readonly models: RegExp;
  /** Null for models without a setting for thinking. */
  readonly levels: Readonly<Record<ThinkingLevel, ThinkingConfig>> | null;
};

const byLevel = {
  low: { thinkingLevel: 'LOW' },
  medium: { thinkingLevel: 'MEDIUM' },
  high: { thinkingLevel: 'HIGH' },
} as const;

/**
 * The budgets that Google's OpenAI-compatible endpoint uses for the same words; all models of the family accept them, in
 * tokens.
 */
const byBudget = {
  low: { thinkingBudget: 1_024 },
  medium: { thinkingBudget: 8_192 },
  high: { thinkingBudget: 24_576 },
} as const;

/**
 * The first row that matches a name counts (Google's documentation on thinking, September to November 2026). Models for images and speech
 * answer 400 to a level or a budget, or to some of them; Gemma, and the models before Gemini 2.5, answer 400 to any.
 */
const rows: readonly Row[] = [
  { models: /-(?:image|tts|live|embedding|native-audio)(?:-|$)/, levels: null },
  // Lacks MEDIUM. Its HIGH is closer to the MEDIUM of its successor than its LOW is.
  { models: /^gemini-3-pro(?:-|$)/, levels: { ...byLevel, medium: { thinkingLevel: 'HIGH' } } },
  { models: /^gemini-2\.5-(?:pro|flash)(?:-|$)/, levels: byBudget },
  { models: /^gemini-(?:[3-9]|[1-9]\d+)(?:\.\d+)?-/, levels: byLevel },
  { models: /^gemini-(?:pro|flash|flash-lite)-latest$/, levels: byLevel },
];

/** The thinking settings of a model; null if the model cannot think, or is unknown. */
export function thinkingConfigOf(model: string, level: ThinkingLevel): ThinkingConfig | null {
  return rows.find(({ models }) => models.test(model))?.levels?.[level] ?? null;
}
