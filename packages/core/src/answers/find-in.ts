import { splitsSurrogatePair } from '../text/splits-surrogate-pair.ts';
import { characterEnd } from '../text/truncate-text.ts';
import { utf8Length } from '../text/utf8-length.ts';

const maxHits = 50;

/** Lines up to this length are shown whole; of longer ones, the text around a match. */
const wholeLineCharacters = 400;
const aroundCharacters = 150;
const contextCharacters = 200;

/** Matches as lines for a reader. */
export type FoundInAnswer = {
  /**
   * `12: …` is a line with a match, `11- …` a neighbouring line, `--` stands for omitted lines. If a line is not shown whole, it says at which offset
   * the shown part begins.
   */
  readonly text: string;
  /** How often the needle occurs in the whole text. */
  readonly total: number;
  /** How many of these matches are shown. */
  readonly shown: number;
  /** Line and offset of the first match that is not shown; null if all are. */
  readonly next: { readonly line: number; readonly offset: number } | null;
};

type Hit = {
  readonly line: number;
  readonly offset: number;
  readonly rows: readonly Row[];
  /** Number of matches in the rows. */
  readonly matches: number;
};

type Row = {
  readonly line: number;
  /** Of the first character that is shown. */
  readonly offset: number;
  readonly text: string;
  readonly isMatch: boolean;
};

/** Finds a literal text, ignoring case, and shows each matching line between its neighbours, in at most `maxBytes` of UTF-8. */
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

/** Counts all matches, but locates only those that may be shown, and one more. */
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

/** The line of a place, counted on from an earlier line. A line end belongs to its line. */
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

/** The shown part of a line with a match. */
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
  // The end of the line may be far away, and is not needed.
  const beginning = text.slice(start, start + contextCharacters + 1);
  const length = Math.min(endOfLine(beginning, 0), characterEnd(beginning, 0, contextCharacters));
  const isWhole = start + length === text.length || text[start + length] === '\n';
  return { line, offset: start, text: `${beginning.slice(0, length)}${isWhole ? '' : '…'}`, isMatch: false };
}

/** A neighbour that is a match itself, or of two matches, is shown once. */
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
 * Calls `onMatch` with the offset of each occurrence of `needle` in `text`, ignoring case, from the first on and without overlaps. Compares like a
 * regular expression with the flags `i` and `u`, but takes time linear in the length of the text, whatever both contain (Knuth, Morris and Pratt).
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

/** The length of the needle's prefix that ends at a place whose unit is `unit`. */
function extend(wanted: Uint16Array, borders: Uint32Array, matchedBefore: number, unit: number): number {
  let matched = matchedBefore;
  while (matched > 0 && wanted[matched] !== unit) {
    matched = borders[matched - 1] ?? 0;
  }
  return wanted[matched] === unit ? matched + 1 : matched;
}

/** For each prefix of the needle, the length of the longest shorter prefix that it ends with. */
function bordersOf(wanted: Uint16Array): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  let matched = 0;
  for (let place = 1; place < wanted.length; place += 1) {
    matched = extend(wanted, borders, matched, wanted[place] ?? 0);
    borders[place] = matched;
  }
  return borders;
}

/** The high surrogates of all characters with case (Deseret, Old Hungarian, Warang Citi, Medefaidrin, Adlam and others). */
const casedHighHalves: ReadonlySet<number> = new Set([0xd801, 0xd803, 0xd806, 0xd81b, 0xd83a]);

/** A cache of folded characters beyond ASCII, by UTF-16 unit; 0 for unknown ones. */
const foldedUnits = new Uint16Array(0x1_0000);

/** The case-folded unit at a place. Folding never changes the length of a character. */
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
  // Some capitals are two letters, and some letters with the same capital differ: the dotless i is not an i.
  const folded = (capital.length === character.length ? capital : character).toLowerCase();
  return folded.length === character.length && new RegExp(`^${folded}$`, 'iu').test(character) ? folded : character;
}
