/** Quotes a text so that a shell takes it as one word. */
export function shellWord(word: string): string {
  return /^[\w./:@=+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
