import { findText } from './find-occurrences.ts';
import { findNearestPlaces } from './nearest-places.ts';
import type { Replacement } from './replacement.ts';

/** Why a replacement cannot be made, as a refusal of a step says it. */
export type ReplacementFault = {
  readonly code: 'invalid-arguments' | 'no-match' | 'many-matches' | 'too-large';
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** What to do: sentences. */
  readonly hint: string;
};

export type ManyMatches = {
  readonly name: string;
  readonly text: string;
  readonly starts: readonly number[];
  /** How many there may be. */
  readonly limit: number;
  /** Whether only white space at the ends of lines tells them from the old text. */
  readonly isTrimmed?: boolean;
};

const maxShownLines = 3;

/** An old text that is in too many places. */
export function describeManyMatches({ name, text, starts, limit, isTrimmed = false }: ManyMatches): ReplacementFault {
  if (limit > 1) {
    const hint = 'Replace less at once.';
    return { code: 'many-matches', message: `${name} is in the file more than ${limit} times.`, hint };
  }
  const lines = lineNumbers(text, starts.slice(0, maxShownLines)).join(', ');
  const more = starts.length > maxShownLines ? ' and more' : '';
  const how = isTrimmed ? ' without the white space at both ends of lines, which it lacks as it is' : '';
  return {
    code: 'many-matches',
    message: `${name} is in the file ${starts.length} times${how}: at lines ${lines}${more}.`,
    hint: isTrimmed
      ? 'Give more of the lines around it, with their white space as the file has it.'
      : 'Give more of the lines around it, so that it is there once, or ask for all to be replaced.',
  };
}

export type Miss = {
  readonly name: string;
  readonly text: string;
  /** The text before any replacement. */
  readonly original: string;
  readonly replacement: Replacement;
};

/** An old text that is nowhere. */
export function describeMiss({ name, text, original, replacement }: Miss): ReplacementFault {
  const { oldText, newText } = replacement;
  const places = findNearestPlaces(text, oldText);
  const nearest = places.map(({ line, difference }) => `line ${line} (${difference})`);
  const sentences = [
    ...(original !== text && isIn(original, oldText) ? ['A replacement before it in this call took it away.'] : []),
    ...(newText.trim().length >= minTellingLength && isIn(text, newText)
      ? ['The new text is there already: it may have been made before.']
      : []),
    nearest.length > 0 ? `Nearest: ${nearest.join('; ')}.` : 'Nothing in the file is like it.',
    'View the file, and give the old text exactly as it is there.',
  ];
  return { code: 'no-match', message: `${name} is not in the file.`, hint: sentences.join(' ') };
}

/** An old text that is there but for white space, of which it does not follow how the new text is indented. `lines` says where. */
export function describeUnclear({
  name,
  text,
  replacement,
  lines,
}: Omit<Miss, 'original'> & { readonly lines: string }): ReplacementFault {
  const places = findNearestPlaces(text, replacement.oldText);
  const nearest = places.map(({ line, difference }) => `line ${line} (${difference})`).join('; ');
  return {
    code: 'no-match',
    message: `${name} is in the file at ${lines} only with other white space, and how the new text is to be indented there is not clear.`,
    hint: `Nearest: ${nearest}. View the file, and give both texts with the white space that the file has.`,
  };
}

/** Shorter ones may be there for any reason. */
const minTellingLength = 8;

function isIn(text: string, part: string): boolean {
  return findText(text, part, 1).length > 0;
}

/** The numbers of the lines at which rising places lie, from 1. */
function lineNumbers(text: string, places: readonly number[]): readonly number[] {
  let line = 1;
  let next = text.indexOf('\n');
  return places.map((place) => {
    while (next !== -1 && next < place) {
      line += 1;
      next = text.indexOf('\n', next + 1);
    }
    return line;
  });
}
