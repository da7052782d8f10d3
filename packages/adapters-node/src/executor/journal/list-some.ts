const maxShown = 10;

/** The first texts of many, and how many more there are. */
export function listSome(texts: readonly string[]): string {
  const more = texts.length > maxShown ? `, and ${texts.length - maxShown} more` : '';
  return `${texts.slice(0, maxShown).join(', ')}${more}`;
}
