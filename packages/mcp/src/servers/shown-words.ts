import { escapeControls, escapeName } from '@gemini-mcp/core/internal';

/** Words of a server as a client is shown them: cut, and with all characters visible that act or hide. */
export function shownWords(text: string, maxCharacters: number): string {
  return escapeControls(cut(text, maxCharacters));
}

/** The same for a name, which takes one line. */
export function shownName(name: string): string {
  return escapeName(cut(name, 100));
}

function cut(text: string, maxCharacters: number): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters).replace(/\p{Cs}$/u, '')}…` : text;
}
