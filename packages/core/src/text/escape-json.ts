import { suspicious } from './escape-controls.ts';

const eachSuspicious = new RegExp(suspicious, 'gu');

/**
 * JSON of the same value, in which what may act on a terminal and what cannot be seen is written as JSON escapes. Everything else
 * stays as it is.
 */
export function escapeJson(json: string): string {
  // A return outside of the strings is white space; inside of them none is JSON.
  return json.replace(eachSuspicious, (character) => (character === '\r' ? character : escapesOf(character)));
}

function escapesOf(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }).join('');
}
