import { escapeName } from '@gemini-mcp/core/internal';

const maxCharacters = 200;

/** A name, an address or a type of a stranger, on one line and in quotes. */
export function shownName(name: unknown): string {
  if (typeof name !== 'string') {
    return 'nothing';
  }
  return `"${escapeName(name.slice(0, maxCharacters))}${name.length > maxCharacters ? '…' : ''}"`;
}
