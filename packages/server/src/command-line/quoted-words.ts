/** A basic string of TOML: a string of JSON, but for DEL, which JSON leaves as it is. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
