import { escapeControls, escapeName } from '@gemini-mcp/core/internal';

/** Shows a caller's value within our own text: quoted, on one line, its first 60 characters. */
export function quoteValue(value: string): string {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return `"${escapeName(shown).replaceAll('"', "'")}"`;
}

/** Characters that change how the text around them is shown or read. Excludes tabs and line ends. */
const deceptive = /(?![\t\n])\p{Cc}|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A short argument as a JSON string, for a model to copy into a call unchanged. */
export function quoteName(value: string): string {
  return JSON.stringify(value).replace(deceptive, (character) =>
    Array.from({ length: character.length }, (_, index) => escapeCodeUnit(character.charCodeAt(index))).join(''),
  );
}

/** Quotes a text of any length and marks each line, so that a reader cannot mistake it for our own text. */
export function quoteText(text: string): string {
  return escapeControls(text.replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n'))
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function escapeCodeUnit(codeUnit: number): string {
  return `\\u${codeUnit.toString(16).padStart(4, '0')}`;
}
