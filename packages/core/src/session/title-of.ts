import { characterEnd } from '../text/truncate-text.ts';

const maxCharacters = 80;

/** Far more than a title takes: limits the work for a long text. */
const headCharacters = 1_000;

/** The beginning of a text on one line, as its title. Untrusted: escape it before showing it. */
export function titleOf(text: string): string {
  const words = text
    .slice(0, characterEnd(text, 0, headCharacters))
    .replace(/\s+/g, ' ')
    .trim();
  return words.length > maxCharacters ? `${words.slice(0, characterEnd(words, 0, maxCharacters))}…` : words;
}
