const excerptCharacters = 500;

/** The beginning of a text from strangers, as long as a failure carries it. */
export function excerptFrom(text: string): string {
  return text.trim().slice(0, excerptCharacters);
}
