import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';

/**
 * The models that are tried in turn when the caller names none, best first: those that Google serves without a known end
 * (November 2026) and Gemini CLI 0.61.0 knows. It asks for each by this name when it logs in with a key. A Google account without
 * access to previews is given others, which the footer of an answer names.
 */
export const defaultModelChain: ModelChain = [
  'gemini-3.1-pro-preview',
  'gemini-3.8-flash',
  'gemini-3-flash-preview',
  'gemini-3.5-flash-lite',
];

/** The models for callers who name none: the operator's, else those that suit the runner which will carry the call. */
export function chainFor(
  configured: ModelChain | null,
  { models = defaultModelChain }: { readonly models?: ModelChain },
): ModelChain {
  return configured ?? models;
}

/** A model that was asked for by name stands alone: it is never replaced by another. */
export function selectModelChain(explicitModel: string | null, chain: ModelChain): ModelChain {
  return explicitModel === null ? chain : [explicitModel];
}

/** Tokens that the model of a name can take in. */
export type WindowOf = (model: string) => number;

/** Gemini CLI 0.61.0 counts every model at 1,048,576 tokens, but for Gemma 4. */
const geminiWindowTokens = 1_048_576;
const gemmaWindowTokens = 256_000;

/** From Gemini 4 on, what a model takes in and what it thinks and writes share the window: so much of it is left for an answer. */
const sharedWindow = /^gemini-(?:[4-9]|\d{2,})(?:[.-]|$)/;
const answerTokens = 65_536;

/** Tokens that a model can take in, and still answer at length; `told` is what the API says of its input. */
export function modelWindowTokens(model: string, told?: number): number {
  const input = told ?? (model.startsWith('gemma-') ? gemmaWindowTokens : geminiWindowTokens);
  return sharedWindow.test(model) ? input - answerTokens : input;
}

/** The window that every model of a chain has, so that a fallback never meets a message that is too large for it. */
export function chainWindowTokens(chain: ModelChain, windowOf: WindowOf = modelWindowTokens): number {
  return Math.min(...chain.map((model) => windowOf(model)));
}
