import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';

/**
 * The models that are tried in turn if the caller names none, best first: those that Google serves without an announced end (November 2026) and
 * Gemini CLI 0.61.0 knows. The CLI requests each by this name when it logs in with a key. Google accounts without access to previews get other
 * models, which the footer of an answer names.
 */
export const defaultModelChain: ModelChain = [
  'gemini-3.1-pro-preview',
  'gemini-3.8-flash',
  'gemini-3-flash-preview',
  'gemini-3.5-flash-lite',
];

/** The models for callers who name none: the operator's, or else those that suit the expected runner. */
export function chainFor(
  configured: ModelChain | null,
  { models = defaultModelChain }: { readonly models?: ModelChain },
): ModelChain {
  return configured ?? models;
}

/** A model requested by name is never replaced by another. */
export function selectModelChain(explicitModel: string | null, chain: ModelChain): ModelChain {
  return explicitModel === null ? chain : [explicitModel];
}

/** The place of an answer among several independent answers to one question. */
export type OpinionPlace = {
  /** From 0. */
  readonly index: number;
  readonly count: number;
};

/**
 * The models to try for one of several answers, in this order: each answer begins with a model of its own, as far as there are enough, and comes last to
 * those with which the others begin.
 */
export function modelsForOpinion(models: readonly string[], { index, count }: OpinionPlace): readonly string[] {
  const first = models[index % models.length];
  const firsts = models.slice(0, count);
  const others = models.filter((model) => model !== first);
  const isOwn = (model: string): boolean => !firsts.includes(model);
  return first === undefined ? [] : [first, ...others.filter(isOwn), ...others.filter((model) => !isOwn(model))];
}

/** The number of input tokens that a model accepts, by its name. */
export type WindowOf = (model: string) => number;

/** Gemini CLI 0.61.0 assumes 1,048,576 tokens for every model except Gemma 4. */
const geminiWindowTokens = 1_048_576;
const gemmaWindowTokens = 256_000;

/** From Gemini 4 on, a model's input shares the window with its thoughts and output: this many tokens are reserved for an answer. */
const sharedWindow = /^gemini-(?:[4-9]|\d{2,})(?:[.-]|$)/;
const answerTokens = 65_536;

/** The input tokens that leave a model room for a long answer; `told` is the input limit that the API reports. */
export function modelWindowTokens(model: string, told?: number): number {
  const input = told ?? (model.startsWith('gemma-') ? gemmaWindowTokens : geminiWindowTokens);
  return sharedWindow.test(model) ? input - answerTokens : input;
}

/** The smallest window of a chain, so that a message that fits one model fits every fallback. */
export function chainWindowTokens(chain: ModelChain, windowOf: WindowOf = modelWindowTokens): number {
  return Math.min(...chain.map((model) => windowOf(model)));
}
