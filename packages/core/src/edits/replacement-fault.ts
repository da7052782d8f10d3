import type { Replacement } from '../ports/workspace/file-steps.ts';
import { escapeControls } from '../text/escape-controls.ts';
import { splitLines } from '../text/split-lines.ts';
import { findText } from './find-occurrences.ts';

/** Why a replacement cannot be made, in the form of a step's refusal. */
export type ReplacementFault = {
  readonly code: 'invalid-arguments' | 'no-match' | 'many-matches' | 'too-large';
  /** The fault, in a sentence. */
  readonly message: string;
  /** What to do, in sentences. */
  readonly hint: string;
};

export type ManyMatches = {
  readonly name: string;
  readonly text: string;
  readonly starts: readonly number[];
  /** The limit on occurrences. */
  readonly limit: number;
  /** Whether they match only without the white space at the ends of lines. */
  readonly isTrimmed?: boolean;
};

const maxShownLines = 3;

/** The fault of an old text that occurs too often. */
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

/** The fault of an old text that does not occur. */
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

/** The fault of an old text that matches only without white space, when the indentation of the new text is unclear. `lines` says where. */
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

/** Shorter texts may occur for any reason. */
const minTellingLength = 8;

function isIn(text: string, part: string): boolean {
  return findText(text, part, 1).length > 0;
}

/** The line numbers of ascending places, from 1. */
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

/** Lines that resemble the old text. */
type NearPlace = {
  /** From 1. */
  readonly line: number;
  /** How they differ, in words. */
  readonly difference: string;
};

const maxPlaces = 3;

/** The search for similar lines is only a help, so it is bounded. */
const maxLines = 100_000;
const maxVotes = 500_000;
const maxComparedCharacters = 400;
const maxShownCharacters = 80;

/** The places of a text most similar to a text that was not found: at most three, best first. Bounded in time. */
function findNearestPlaces(text: string, wanted: string): readonly NearPlace[] {
  const lines = splitLines(text).slice(0, maxLines).map(plainLine);
  const all = splitLines(wanted).slice(0, maxLines).map(plainLine);
  const sought = all.slice(
    Math.max(
      0,
      all.findIndex((line) => squeeze(line) !== ''),
    ),
  );
  const starts = voteForStarts(lines, sought);
  const places = starts.length > 0 ? starts : findLikeLines(lines, sought);
  return places.slice(0, maxPlaces).map((start) => describePlace(lines, sought, start));
}

function plainLine(line: string): string {
  return line.replace(/\r?\n$/, '').slice(0, maxComparedCharacters);
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, '');
}

/** Equal for lines that look alike: with typographic quotes and dashes, and with letters that Unicode encodes in several ways. */
function likeness(line: string): string {
  const plain = line
    .normalize('NFKC')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″«»]/g, '"');
  return squeeze(plain.replace(/[\p{Pd}\u2212]/gu, '-').replace(/\p{Cf}/gu, ''));
}

/** Each line that occurs in the old text votes for the start that it implies. */
function voteForStarts(lines: readonly string[], sought: readonly string[]): readonly number[] {
  const offsets = new Map<string, number[]>();
  sought.map(likeness).forEach((line, index) => {
    const known = offsets.get(line) ?? [];
    if (line.length > 1 && known.length < 10) {
      offsets.set(line, [...known, index]);
    }
  });
  const votes = new Map<number, number>();
  let count = 0;
  lines.forEach((line, index) => {
    for (const offset of count < maxVotes ? (offsets.get(likeness(line)) ?? []) : []) {
      const start = Math.max(0, index - offset);
      votes.set(start, (votes.get(start) ?? 0) + 1);
      count += 1;
    }
  });
  return byScore(votes);
}

/** Lines that share words with the longest line of the old text. */
function findLikeLines(lines: readonly string[], sought: readonly string[]): readonly number[] {
  const longest = sought.reduce((best, line) => (line.length > best.length ? line : best), '');
  const words = new Set(longest.match(/\w{3,}/g)?.slice(0, 20) ?? []);
  const offset = sought.indexOf(longest);
  const scores = new Map<number, number>();
  lines.forEach((line, index) => {
    const shared = [...words].filter((word) => line.includes(word)).length;
    if (shared > 0 && 2 * shared >= words.size) {
      scores.set(Math.max(0, index - offset), shared);
    }
  });
  return byScore(scores);
}

function byScore(scores: ReadonlyMap<number, number>): readonly number[] {
  const sorted = [...scores].sort(([one, left], [other, right]) => right - left || one - other);
  return sorted.map(([start]) => start);
}

function describePlace(lines: readonly string[], sought: readonly string[], start: number): NearPlace {
  const index = sought.findIndex((line, offset) => line !== lines[start + offset]);
  const here = lines[start + index];
  const there = sought[index] ?? '';
  const line = start + 1;
  if (here === undefined) {
    return { line, difference: 'the file ends there' };
  }
  const place = index === 0 ? 'it' : `line ${line + index}`;
  const points = tellCodePoints(here, there);
  return squeeze(here) === squeeze(there)
    ? { line, difference: `${place} differs in white space: the file has ${show(here)}${points}` }
    : { line, difference: `${place} is ${show(here)}, and not ${show(there)}${points}` };
}

/** For lines that look alike: the first characters that differ, if one of them is not ASCII. */
function tellCodePoints(here: string, there: string): string {
  const [file, given] = [[...here], [...there]];
  const index = file.findIndex((character, place) => character !== given[place]);
  const place = index === -1 ? file.length : index;
  const [one, other] = [file[place], given[place]];
  const isPlain = /^[ -~\t]?$/.test(one ?? '') && /^[ -~\t]?$/.test(other ?? '');
  const words = `: at character ${place + 1} the file has ${codePoint(one)}, the old text ${codePoint(other)}`;
  return isPlain ? '' : words;
}

function codePoint(character: string | undefined): string {
  const code = character?.codePointAt(0);
  return code === undefined ? 'nothing' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function show(line: string): string {
  const cut = line.length > maxShownCharacters ? `${line.slice(0, maxShownCharacters)}…` : line;
  return `\`${escapeControls(cut).replaceAll('\t', '\\t')}\``;
}
