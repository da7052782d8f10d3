import { countLineEnds } from './answer-part.ts';
import { characterEnd, splitsPair } from './cut-end.ts';

const maxHits = 50;

/** Lines up to this length are shown whole; of longer ones, what stands around a match. */
const wholeLineCharacters = 400;
const aroundCharacters = 150;
const contextCharacters = 200;

/** What was found, as lines for a reader. */
export type FoundInAnswer = {
  /**
   * `12: …` is a line with a match, `11- …` one beside it, `--` stands for what lies between. A line too long to be shown
   * whole says at which offset the shown piece of it begins.
   */
  readonly text: string;
  /** How often the needle stands in the whole text. */
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

/** Finds a text literally, in capitals or not, and shows each line that holds it between its neighbours. */
export function findIn(text: string, needle: string, maxCharacters: number): FoundInAnswer {
  const { hits, total } = searchFor(text, needle);
  const taken: Hit[] = [];
  let rendered = '';
  for (const hit of hits.slice(0, maxHits)) {
    const longer = render([...taken, hit]);
    if (longer.length > maxCharacters) {
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
  let line = 1;
  let counted = 0;
  let shownUntil = -1;
  for (const { index, 0: found } of needle === '' ? [] : text.matchAll(literal(needle))) {
    total += 1;
    const last = hits.at(-1);
    if (index < shownUntil && last !== undefined) {
      hits[hits.length - 1] = { ...last, matches: last.matches + 1 };
    } else if (hits.length <= maxHits) {
      line += countLineEnds(text, counted, index);
      counted = index;
      const place = pieceAround(text, index, index + found.length);
      hits.push({ line, offset: index, rows: rowsAround(text, line, place), matches: 1 });
      shownUntil = place.end;
    }
  }
  return { hits, total };
}

function literal(needle: string): RegExp {
  return new RegExp(needle.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}

type Piece = {
  readonly lineStart: number;
  readonly lineEnd: number;
  /** What is shown of the line. */
  readonly start: number;
  readonly end: number;
};

function pieceAround(text: string, start: number, end: number): Piece {
  const lineStart = startOfLine(text, start);
  const lineBreak = text.indexOf('\n', start);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  if (lineEnd - lineStart <= wholeLineCharacters) {
    return { lineStart, lineEnd, start: lineStart, end: lineEnd };
  }
  const from = Math.max(lineStart, start - aroundCharacters);
  const to = Math.min(lineEnd, Math.min(end, start + aroundCharacters) + aroundCharacters);
  return {
    lineStart,
    lineEnd,
    start: splitsPair(text, from) ? from + 1 : from,
    end: splitsPair(text, to) ? to - 1 : to,
  };
}

function rowsAround(text: string, line: number, { lineStart, lineEnd, start, end }: Piece): readonly Row[] {
  const before = start > lineStart ? `(from offset ${start}) …` : '';
  const after = end < lineEnd ? '…' : '';
  const match = { line, offset: start, text: `${before}${text.slice(start, end)}${after}`, isMatch: true };
  const above = lineStart === 0 ? [] : [neighbour(text, line - 1, startOfLine(text, lineStart - 1))];
  const below = lineEnd + 1 >= text.length ? [] : [neighbour(text, line + 1, lineEnd + 1)];
  return [...above, match, ...below];
}

/** Of the line that a place stands in; its line end belongs to it. */
function startOfLine(text: string, place: number): number {
  return place === 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1;
}

function neighbour(text: string, line: number, start: number): Row {
  const lineBreak = text.indexOf('\n', start);
  const lineEnd = lineBreak === -1 ? text.length : lineBreak;
  const end = Math.min(lineEnd, characterEnd(text, start, contextCharacters));
  return { line, offset: start, text: `${text.slice(start, end)}${end < lineEnd ? '…' : ''}`, isMatch: false };
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
