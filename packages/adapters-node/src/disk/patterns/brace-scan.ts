import { parseCharacterClass } from './character-class.ts';

/** The end of a pair of braces, and the start and end of each of its parts. */
export type Braces = {
  readonly close: number;
  /** The texts between the commas of this pair; commas of inner pairs do not split. */
  readonly parts: readonly string[];
};

/** Reads the pair whose `{` is at `open`; null if it is never closed. */
export function scanBraces(characters: readonly string[], open: number): Braces | null {
  const parts: string[] = [];
  let depth = 1;
  let partStart = open + 1;
  for (let at = partStart; at < characters.length; at = afterAtom(characters, at)) {
    const character = characters[at] ?? '';
    const isClose = depth === 1 && character === '}';
    if (isClose || (depth === 1 && character === ',')) {
      parts.push(characters.slice(partStart, at).join(''));
      partStart = at + 1;
    }
    if (isClose) {
      return { close: at, parts };
    }
    depth += depthChanges[character] ?? 0;
  }
  return null;
}

const depthChanges: Readonly<Record<string, number>> = { '{': 1, '}': -1 };

/** The index after the atom at `at`: an escaped character, a bracketed class, or one character. */
export function afterAtom(characters: readonly string[], at: number): number {
  if (characters[at] === '\\') {
    return at + 2;
  }
  const bracketed = characters[at] === '[' ? parseCharacterClass(characters, at) : null;
  return bracketed?.end ?? at + 1;
}
