/** Quotes a text so that a shell takes it as one word. */
export function shellWord(word: string): string {
  return /^[\w./:@=+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A basic string of TOML: a string of JSON, but for DEL, which JSON leaves as it is. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
