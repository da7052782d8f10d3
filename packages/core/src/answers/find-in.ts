import { splitsSurrogatePair } from '../text/splits-surrogate-pair.ts';
import { characterEnd } from '../text/truncate-text.ts';
import { utf8Length } from '../text/utf8-length.ts';

const maxHits = 50;

/** Lines up to this length are shown whole; of longer ones, the text around a match. */
const wholeLineCharacters = 400;
const aroundCharacters = 150;
const contextCharacters = 200;

/** What was found, as lines for a reader. */
export type FoundInAnswer = {
  /**
   * `12: …` is a line with a match, `11- …` one next to it, `--` stands for the lines between. A line too long to be shown
   * whole says at which offset the shown piece of it begins.
   */
  readonly text: string;
  /** How often the needle occurs in the whole text. */
  readonly total: number;
  /** How many of them are shown. */
  readonly shown: number;
  /** Line and offset of the first that is not; null when all are. */
  readonly next: { readonly line: number; readonly offset: number } | null;
};

type Hit = {
  readonly line: number;
  readonly offset: number;
  readonly rows: readonly Row[];
  /** How many matches the rows hold. */
  readonly matches: number;
};

type Row = {
  readonly line: number;
  /** Of the first character that is shown. */
  readonly offset: number;
  readonly text: string;
  readonly isMatch: boolean;
};

/** Finds a text literally, in capitals or not, and shows each line that holds it between its neighbours, in `maxBytes` of UTF-8. */
export function findIn(text: string, needle: string, maxBytes: number): FoundInAnswer {
  const { hits, total } = searchFor(text, needle);
  const taken: Hit[] = [];
  let rendered = '';
  for (const hit of hits.slice(0, maxHits)) {
    const longer = render([...taken, hit]);
    if (utf8Length(longer) > maxBytes) {
      break;
    }
    rendered = longer;
    taken.push(hit);
  }
  const missed = hits[taken.length];
  return {
    text: rendered,
    total,
    shown: taken.reduce((sum, { matches }) => sum + matches, 0),
    next: missed === undefined ? null : { line: missed.line, offset: missed.offset },
  };
}

/** All matches are counted; only those that may be shown, and one more, are looked at closely. */
function searchFor(text: string, needle: string): { readonly hits: readonly Hit[]; readonly total: number } {
  const hits: Hit[] = [];
  let total = 0;
  let line: Line = { number: 1, start: 0, end: endOfLine(text, 0), startOfPrevious: 0 };
  let shownUntil = -1;
  findFolded(text, needle, (offset) => {
    total += 1;
    const last = hits.at(-1);
    if (offset < shownUntil && last !== undefined) {
      hits[hits.length - 1] = { ...last, matches: last.matches + 1 };
    } else if (hits.length <= maxHits) {
      line = lineAt(text, offset, line);
      const piece = pieceAround(text, line, { start: offset, end: offset + needle.length });
      hits.push({ line: line.number, offset, rows: rowsAround(text, line, piece), matches: 1 });
      shownUntil = piece.end;
    }
  });
  return { hits, total };
}

type Line = {
  readonly number: number;
  readonly start: number;
  /** Before its line end. */
  readonly end: number;
  readonly startOfPrevious: number;
};

/** The line that a place is in, counted on from one before it. Its line end belongs to it. */
function lineAt(text: string, place: number, from: Line): Line {
  let { number, start, end, startOfPrevious } = from;
  while (end < place) {
    startOfPrevious = start;
    start = end + 1;
    end = endOfLine(text, start);
    number += 1;
  }
  return { number, start, end, startOfPrevious };
}

function endOfLine(text: string, start: number): number {
  const lineBreak = text.indexOf('\n', start);
  return lineBreak === -1 ? text.length : lineBreak;
}

type Span = { readonly start: number; readonly end: number };

/** What is shown of a line that holds a match. */
function pieceAround(text: string, line: Line, match: Span): Span {
  if (line.end - line.start <= wholeLineCharacters) {
    return line;
  }
  const from = Math.max(line.start, match.start - aroundCharacters);
  const to = Math.min(line.end, Math.min(match.end, match.start + aroundCharacters) + aroundCharacters);
  return { start: splitsSurrogatePair(text, from) ? from + 1 : from, end: splitsSurrogatePair(text, to) ? to - 1 : to };
}

function rowsAround(text: string, line: Line, { start, end }: Span): readonly Row[] {
  const before = start > line.start ? `(from offset ${start}) …` : '';
  const after = end < line.end ? '…' : '';
  const match = { line: line.number, offset: start, text: `${before}${text.slice(start, end)}${after}`, isMatch: true };
  const above = line.start === 0 ? [] : [neighbour(text, line.number - 1, line.startOfPrevious)];
  const below = line.end + 1 >= text.length ? [] : [neighbour(text, line.number + 1, line.end + 1)];
  return [...above, match, ...below];
}

function neighbour(text: string, line: number, start: number): Row {
  // Its end may be far away, and is not needed.
  const beginning = text.slice(start, start + contextCharacters + 1);
  const length = Math.min(endOfLine(beginning, 0), characterEnd(beginning, 0, contextCharacters));
  const isWhole = start + length === text.length || text[start + length] === '\n';
  return { line, offset: start, text: `${beginning.slice(0, length)}${isWhole ? '' : '…'}`, isMatch: false };
}

/** Neighbours that are matches themselves, or of two matches, are shown once. */
function render(hits: readonly Hit[]): string {
  const rows = new Map<number, Row>();
  for (const row of hits.flatMap((hit) => hit.rows)) {
    if (row.isMatch || !rows.has(row.offset)) {
      rows.set(row.offset, row);
    }
  }
  const sorted = [...rows.values()].sort((a, b) => a.offset - b.offset);
  return sorted
    .map((row, index) => {
      const gap = index > 0 && row.line - (sorted[index - 1]?.line ?? row.line) > 1 ? '--\n' : '';
      return `${gap}${row.line}${row.isMatch ? ':' : '-'} ${row.text.replace(/\r$/, '')}`;
    })
    .join('\n');
}

/**
 * Calls `onMatch` with the offset of each place where `needle` is in `text`, in capitals or not: from the first on, and none
 * overlapping another. Compares as a regular expression with the flags `i` and `u` does, but takes a time that grows
 * with the length of the text alone, whatever both hold (Knuth, Morris and Pratt).
 */
export function findFolded(text: string, needle: string, onMatch: (offset: number) => void): void {
  const wanted = Uint16Array.from({ length: needle.length }, (_, place) => foldAt(needle, place));
  if (wanted.length === 0) {
    return;
  }
  const borders = bordersOf(wanted);
  let matched = 0;
  for (let place = 0; place < text.length; place += 1) {
    matched = extend(wanted, borders, matched, foldAt(text, place));
    if (matched === wanted.length) {
      onMatch(place + 1 - matched);
      matched = 0;
    }
  }
}

/** How much of the needle ends at a place whose unit is `unit`. */
function extend(wanted: Uint16Array, borders: Uint32Array, matchedBefore: number, unit: number): number {
  let matched = matchedBefore;
  while (matched > 0 && wanted[matched] !== unit) {
    matched = borders[matched - 1] ?? 0;
  }
  return wanted[matched] === unit ? matched + 1 : matched;
}

/** For each beginning of the needle the length of the longest shorter one that it ends with. */
function bordersOf(wanted: Uint16Array): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let matched = 0;
  for (let place = 1; place < wanted.length; place += 1) {
    matched = extend(wanted, borders, matched, wanted[place] ?? 0);
    borders[place] = matched;
  }
  return borders;
}

/** The first halves of all pairs that come in capitals or not (Deseret, Old Hungarian, Warang Citi, Medefaidrin, Adlam and others). */
const casedHighHalves: ReadonlySet<number> = new Set([0xd801, 0xd803, 0xd806, 0xd81b, 0xd83a]);

/** What has been found out about the characters beyond ASCII, by UTF-16 unit; 0 where nothing has. */
const foldedUnits = new Uint16Array(0x1_0000);

/** The unit at a place, the same for a capital as for its small letter. No character changes its length by it. */
function foldAt(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  if (unit < 0x80) {
    return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit;
  }
  if (unit >= 0xdc00 && unit <= 0xdfff && place > 0 && casedHighHalves.has(text.charCodeAt(place - 1))) {
    return fold(text.slice(place - 1, place + 1)).charCodeAt(1);
  }
  const known = foldedUnits[unit] ?? 0;
  if (known !== 0) {
    return known;
  }
  const folded = fold(String.fromCharCode(unit)).charCodeAt(0);
  foldedUnits[unit] = folded;
  return folded;
}

function fold(character: string): string {
  const capital = character.toUpperCase();
  // Some capitals are two letters; and some letters that share a capital are not the same letter: the dotless i is no i.
  const folded = (capital.length === character.length ? capital : character).toLowerCase();
  return folded.length === character.length && new RegExp(`^${folded}$`, 'iu').test(character) ? folded : character;
}
