import type { PatternPiece } from '@gemini-mcp/core';

/** Whether a name is what a pattern means, in time that grows with the product of their lengths at most. */
export function matchesPattern(pieces: readonly PatternPiece[], name: string): boolean {
  const signs = pieces.flatMap(signsOf);
  const characters = Array.from(name);
  let [sign, character] = [0, 0];
  // Where to go on if what follows the last `*` does not fit: it takes one character more.
  let retry: { readonly sign: number; character: number } | null = null;
  while (character < characters.length) {
    const wanted = signs[sign];
    if (wanted?.type === 'any') {
      retry = { sign: sign + 1, character };
      sign += 1;
    } else if (wanted?.type === 'one' || (wanted?.type === 'is' && wanted.character === characters[character])) {
      sign += 1;
      character += 1;
    } else if (retry === null) {
      return false;
    } else {
      retry.character += 1;
      sign = retry.sign;
      character = retry.character;
    }
  }
  return signs.slice(sign).every(({ type }) => type === 'any');
}

type Sign = { readonly type: 'any' | 'one' } | { readonly type: 'is'; readonly character: string };

function signsOf(piece: PatternPiece): readonly Sign[] {
  return piece.type === 'literal'
    ? Array.from(piece.text, (character) => ({ type: 'is' as const, character }))
    : [{ type: piece.type }];
}
