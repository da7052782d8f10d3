import { escapeName } from '@gemini-mcp/core/internal';

/** Shows a caller's value inside of our own words: quoted, on one line, its first 60 characters. */
export function quoteValue(value: string): string {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return `"${escapeName(shown).replaceAll('"', "'")}"`;
}
