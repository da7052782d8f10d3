const maxCharacters = 80;

/** The beginning of a text on one line, to tell it from others. */
export function titleOf(text: string): string {
  const words = text.slice(0, 1_000).replace(/\s+/g, ' ').trim();
  return words.length > maxCharacters ? `${words.slice(0, maxCharacters)}…` : words;
}
