import type { CommandWord } from '../ports/workspace/command-plan.ts';
import { suspicious } from '../text/escape-controls.ts';
import { escapeJson } from '../text/escape-json.ts';

/** Contains no operator, pattern, assignment or quotation mark. */
const plain = /^(?:[\w@%+:,./-]|(?<=^-[\w-]*)=)+$/;

/**
 * A word in the only way that a reader of a command line can understand it: unquoted if nothing in it has a meaning, otherwise in single quotes or as
 * a JSON string. Different words look different, and nothing in them acts on a terminal.
 */
export function formatWord(text: string): string {
  if (plain.test(text)) {
    return text;
  }
  return text === '' || text.includes("'") || /[\n\t]/.test(text) || suspicious.test(text)
    ? escapeJson(JSON.stringify(text))
    : `'${text}'`;
}

/** A program name: letters that merely look like those of a known program are written as JSON escapes. */
export function formatProgram(text: string): string {
  return /[^ -~]/.test(text)
    ? JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : formatWord(text);
}

/** A word of a plan; the signs of a pattern stay unquoted, and everything else is quoted if necessary. */
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
