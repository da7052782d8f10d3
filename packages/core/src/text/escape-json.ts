import { suspicious } from './escape-controls.ts';

const eachSuspicious = new RegExp(suspicious, 'gu');

/** JSON of the same value, with JSON escapes for all characters that act on a terminal or are invisible. The rest stays unchanged. */
export function escapeJson(json: string): string {
  // A carriage return outside strings is white space; inside strings, JSON does not allow it.
  return json.replace(eachSuspicious, (character) => (character === '\r' ? character : escapesOf(character)));
}

function escapesOf(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
