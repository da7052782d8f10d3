import { characterEnd } from './truncate-text.ts';

const excerptCharacters = 500;

/** Only this much of a text is read: blanks and control characters make the excerpt shorter than its source. */
const readCharacters = 10_000;

/** Colours and other commands to a terminal, and control characters but for line ends and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this removes them.
const controls = /\u001b\[[0-?]*[ -/]*[@-~]|[^\P{Cc}\n\t]/gu;

/** The beginning of an untrusted text, at the length that failures allow, without control characters. */
export function excerptFrom(text: string): string {
  const plain = text.trimStart().slice(0, readCharacters).replace(/\r\n?/g, '\n').replace(controls, '').trim();
  return plain.slice(0, characterEnd(plain, 0, excerptCharacters)).trimEnd();
}
