import type { CommandWord, PatternPiece } from '@gemini-mcp/core';
import type { Word, WordPart } from 'unbash';
import { type Read, refuseCommand } from './refuse.ts';

type RefusedPart = Exclude<WordPart['type'], 'Literal' | 'Glob' | 'SingleQuoted' | 'DoubleQuoted'>;

const noExpansion = 'Write the value itself: the command runs without a shell, so nothing in it is expanded.';

const refusedParts: Readonly<Record<RefusedPart, readonly [reason: string, hint: string]>> = {
  SimpleExpansion: ['a variable such as $NAME is not expanded', noExpansion],
  ParameterExpansion: ['a variable in braces is not expanded', noExpansion],
  ArithmeticExpansion: ['arithmetic such as $((1 + 1)) is not evaluated', noExpansion],
  CommandExpansion: [
    'a command inside a command, $(…) or `…`, is not run',
    'Run the inner command by itself, and write its result into the next one.',
  ],
  ProcessSubstitution: ['<(…) and >(…) are not supported', 'Run the inner command with `> file` first.'],
  AnsiCQuoted: ["$'…' is not supported", 'Use plain quotes; to write other characters into a file, use put_file.'],
  LocaleString: ['$"…" is not supported', 'Use plain quotes.'],
  ExtendedGlob: ['patterns such as @(a|b) are not supported', 'Write the names, or use * and ?.'],
  BraceExpansion: ['{a,b} is not expanded', 'Write each name as a separate word.'],
};

/** Reads a word that is text, or a pattern of text with `*` and `?`. Refuses everything else that a shell would expand. */
export function readWord(word: Word): Read<CommandWord> {
  const { text: source, value, parts } = word;
  if (source.includes('\\\n')) {
    return refuseCommand('a line that ends in \\ is not supported', 'Write the command on one line.');
  }
  if (parts === undefined) {
    return bareText(source, value);
  }
  const pieces: PatternPiece[] = [];
  for (const part of parts) {
    const piece = readPart(part);
    if (!piece.ok) {
      return piece;
    }
    pieces.push(piece.value);
  }
  return { ok: true, value: wordOf(source, pieces) };
}

/** Reads a word that must be text: the name of a program or file, or the value of a variable. */
export function readLiteral(word: Word, what: string): Read<string> {
  const read = readWord(word);
  if (!read.ok) {
    return read;
  }
  return read.value.type === 'literal'
    ? { ok: true, value: read.value.text }
    : refuseCommand(`${what} is a pattern`, 'Write it out, or put it in quotes.');
}

function readPart(part: WordPart): Read<PatternPiece> {
  switch (part.type) {
    case 'Literal':
      return bareText(part.text, part.value);
    case 'SingleQuoted':
      return { ok: true, value: { type: 'literal', text: part.value } };
    case 'DoubleQuoted':
      return readQuoted(part);
    case 'Glob':
      return readGlob(part);
    default:
      return refuseCommand(...refusedParts[part.type]);
  }
}

function readQuoted({ parts }: Extract<WordPart, { readonly type: 'DoubleQuoted' }>): Read<PatternPiece> {
  let text = '';
  for (const part of parts) {
    const read = part.type === 'Literal' ? plainText(part.text, part.value) : refuseCommand(...refusedParts[part.type]);
    if (!read.ok) {
      return read;
    }
    text += read.value.text;
  }
  return { ok: true, value: { type: 'literal', text } };
}

/** Outside quotes the parser accepts `0<(a)` as text, although Bash runs a command there. */
function bareText(source: string, value: string): ReturnType<typeof plainText> {
  return /[<>()|&;]/.test(source.replace(/\\./gs, ' '))
    ? refuseCommand('an operator inside a word is not supported', 'Put the word in quotes if it is text.')
    : plainText(source, value);
}

/** Bash expands more than the parser reports, such as `$[1 + 1]` and the `~` of `a=~/b` and of `a:~/b`: unquoted, they are never text. */
function plainText(source: string, value: string): Read<Extract<PatternPiece, { readonly type: 'literal' }>> {
  const bare = source.replace(/\\./gs, ' ');
  if (bare.includes('$')) {
    return refuseCommand('$ is not expanded', "Put it in single quotes if it is text: '$'.");
  }
  return /(?:^|[=:])~/.test(bare)
    ? refuseCommand('~ is not expanded', 'Use a path that is relative to the project, or put ~ in quotes.')
    : { ok: true, value: { type: 'literal', text: value } };
}

function readGlob({ kind, text }: Extract<WordPart, { readonly type: 'Glob' }>): Read<PatternPiece> {
  if (kind === 'star' && text !== '*') {
    return refuseCommand(
      '** is not supported',
      'Put the pattern in quotes if the program expands patterns itself, or use find.',
    );
  }
  switch (kind) {
    case 'star':
      return { ok: true, value: { type: 'any' } };
    case 'question':
      return { ok: true, value: { type: 'one' } };
    case 'bracket':
      return refuseCommand('patterns such as [ab] are not supported', 'Use * and ?, or put [ ] in quotes.');
  }
}

function wordOf(source: string, pieces: readonly PatternPiece[]): CommandWord {
  return pieces.every((piece) => piece.type === 'literal')
    ? { type: 'literal', text: pieces.map(({ text }) => text).join('') }
    : { type: 'pattern', source, pieces };
}
