import type { ContextLimits } from '../ask-gemini/ask-result.ts';
import { countOf } from './format-count.ts';

/** The room of a call, in words. */
export function limitsText({ maxFiles, maxBytes, maxCharacters, maxMediaBytes }: ContextLimits): string {
  const text = `${countOf(maxFiles, 'file')}, ${countOf(maxBytes, 'byte')}, ${countOf(maxCharacters, 'character')}`;
  return maxMediaBytes === 0 ? text : `${text}, ${countOf(maxMediaBytes, 'byte')} of images and PDFs`;
}
