import type { GeminiFailure } from '../failure/gemini-failure.ts';

/** How many tokens a request comes to, media and conversation among them; or why that could not be counted. */
export type TokenCount =
  | { readonly ok: true; readonly tokens: number }
  | { readonly ok: false; readonly failure: GeminiFailure };
