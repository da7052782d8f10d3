/** What the beginning of a file of one type has, a character for each byte. */
export type MediaSign = {
  readonly mediaType: string;
  /** Where one of these texts is. Together they have bytes that no text has: its name alone can begin a text. */
  readonly parts: readonly (readonly [place: number, oneOf: readonly string[]])[];
  /** Is somewhere in the beginning as well. */
  readonly includes?: string;
};

/** The type whose sign the beginning of a file bears; null for none. */
export function typeBySign(start: string, signs: readonly MediaSign[]): string | null {
  const bears = ({ parts, includes = '' }: MediaSign): boolean =>
    parts.every(([place, oneOf]) => oneOf.some((text) => start.startsWith(text, place))) && start.includes(includes);
  return signs.find(bears)?.mediaType ?? null;
}
