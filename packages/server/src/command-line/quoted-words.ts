/** A word as a shell takes it for one, whatever stands in it. */
export function shellWord(word: string): string {
  return /^[\w./:@=+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A basic string of TOML: a string of JSON, but for DEL, which JSON leaves as it is. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
