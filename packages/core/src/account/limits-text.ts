import type { ContextLimits } from '../answers/ask-result.ts';
import { countOf } from '../text/format-count.ts';

/** The limits of a call, in words. */
export function limitsText({ maxFiles, maxBytes, maxCharacters, maxMediaBytes, maxTokens }: ContextLimits): string {
  const parts = [countOf(maxFiles, 'file'), countOf(maxBytes, 'byte'), countOf(maxCharacters, 'character')];
  const ofMedia = maxMediaBytes === 0 ? [] : [`${countOf(maxMediaBytes, 'byte')} of media`];
  return [...parts, ...ofMedia, ...(maxTokens === undefined ? [] : [countOf(maxTokens, 'token')])].join(', ');
}
