/** Distance from an earlier cut within which no text is shown, since the cut may have split a key: longer than any key. */
const edgeCharacters = 8_192;

export type Excerpt = {
  readonly text: string;
  /** The part of the whole that this text is. */
  readonly part: 'beginning' | 'end';
  /** Whether the other end is cut off too. */
  readonly isCut: boolean;
};

export type ShowExcerptOptions = {
  readonly maxCharacters: number;
  readonly redact: (text: string) => string;
};

/**
 * Redacts a text and then cuts it to the displayed length. The redactor does not recognise half a key, so text near an earlier cut is
 * never shown.
 */
export function showExcerpt({ text, part, isCut }: Excerpt, { maxCharacters, redact }: ShowExcerptOptions): string {
  const redacted = redact(text);
  const sureCharacters = Math.max(0, redacted.length - (isCut ? edgeCharacters : 0));
  const shownCharacters = Math.min(sureCharacters, maxCharacters);
  return part === 'beginning' ? redacted.slice(0, shownCharacters) : redacted.slice(redacted.length - shownCharacters);
}
