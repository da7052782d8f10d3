/** What is shown of a text whose cut may have gone through a key keeps this far from the cut: longer than any key. */
const edgeCharacters = 8_192;

export type Excerpt = {
  readonly text: string;
  /** Which part of the whole the text is. */
  readonly part: 'beginning' | 'end';
  /** Whether something is missing at the other end. */
  readonly isCut: boolean;
};

export type ShowExcerptOptions = {
  readonly maxCharacters: number;
  readonly redact: (text: string) => string;
};

/**
 * Redacts a text and then cuts it to what is shown. The redactor does not recognise half a key, so what is near an earlier cut is never
 * shown.
 */
export function showExcerpt({ text, part, isCut }: Excerpt, { maxCharacters, redact }: ShowExcerptOptions): string {
  const redacted = redact(text);
  const sureCharacters = Math.max(0, redacted.length - (isCut ? edgeCharacters : 0));
  const shownCharacters = Math.min(sureCharacters, maxCharacters);
  return part === 'beginning' ? redacted.slice(0, shownCharacters) : redacted.slice(redacted.length - shownCharacters);
}
