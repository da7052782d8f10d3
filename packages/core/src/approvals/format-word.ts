import type { CommandWord } from '../ports/workspace/command-plan.ts';
import { suspicious } from '../text/escape-controls.ts';
import { escapeJson } from '../text/escape-json.ts';

/** Nothing in it is an operator, a pattern, an assignment or a quotation mark. */
const plain = /^(?:[\w@%+:,./-]|(?<=^-[\w-]*)=)+$/;

/**
 * A word as one who reads a command line takes it, and in no other way: as it is where nothing in it has a meaning, else between single
 * quotes, else as a JSON string. Different words look different, and nothing in them acts on a terminal.
 */
export function formatWord(text: string): string {
  if (plain.test(text)) {
    return text;
  }
  return text === '' || text.includes("'") || /[\n\t]/.test(text) || suspicious.test(text)
    ? escapeJson(JSON.stringify(text))
    : `'${text}'`;
}

/** The name of a program: letters that only look like those of a program that the user knows are written as JSON escapes. */
export function formatProgram(text: string): string {
  return /[^ -~]/.test(text)
    ? JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : formatWord(text);
}

/** A word of a plan; the signs of a pattern are not quoted, and everything else in it is where it has to be. */
export function formatCommandWord(word: CommandWord): string {
  return word.type === 'literal' ? formatWord(word.text) : word.pieces.map(formatPiece).join('');
}

function formatPiece(piece: Extract<CommandWord, { readonly type: 'pattern' }>['pieces'][number]): string {
  switch (piece.type) {
    case 'literal':
      return formatWord(piece.text);
    case 'any':
      return '*';
    case 'one':
      return '?';
  }
}
