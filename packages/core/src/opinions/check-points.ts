import { characterEnd } from '../text/truncate-text.ts';
import { pointKinds, type RawPoint } from './comparison-form.ts';
import type { ComparedPoint, Comparison, Position } from './opinion.ts';

/** Fewer characters occur in any answer by chance. */
const minQuoteCharacters = 12;

const shownQuoteCharacters = 300;

export type CheckedPoints = Pick<Comparison, 'points'> & {
  readonly dropped: Pick<Comparison['dropped'], 'points' | 'quotes'>;
};

/**
 * Checks a comparison against the answers, by their numbers: each quote has to occur in the answer that it names. A point keeps the answers whose quotes
 * do, and is dropped if too few are left.
 */
export function checkPoints(points: readonly RawPoint[], answers: ReadonlyMap<number, string>): CheckedPoints {
  const searchable = new Map([...answers].map(([number, text]) => [number, plainWords(text)]));
  const checked = points.map((point) => ({ ...point, positions: positionsFound(point, searchable) }));
  const kept = checked.filter(restsOnEnough);
  const count = (list: readonly RawPoint[]): number => list.reduce((sum, { positions }) => sum + positions.length, 0);
  return {
    points: pointKinds.flatMap((kind) => kept.filter((point) => point.kind === kind)),
    dropped: { quotes: count(points) - count(checked), points: points.length - kept.length },
  };
}

/** The positions whose quotes occur in their answers; of several from one answer, the first. */
function positionsFound({ positions }: RawPoint, answers: ReadonlyMap<number, string>): readonly Position[] {
  const found = positions.filter(({ answer, quote }) => occursIn(plainWords(quote), answers.get(answer) ?? ''));
  const first = new Map(found.toReversed().map((position) => [position.answer, position]));
  return [...first.values()]
    .map((position) => ({ ...position, quote: shortened(position.quote) }))
    .sort((one, other) => one.answer - other.answer);
}

function occursIn(quote: string, answer: string): boolean {
  return quote !== '' && (quote === answer || (quote.length >= minQuoteCharacters && answer.includes(quote)));
}

/** A copy often loses line ends and the marks of Markdown. */
function plainWords(text: string): string {
  return text.replace(/[*`_\s]+/g, ' ').trim();
}

function restsOnEnough({ kind, positions }: ComparedPoint): boolean {
  return kind === 'only-one' ? positions.length === 1 : positions.length >= 2;
}

function shortened(quote: string): string {
  const end = characterEnd(quote, 0, shownQuoteCharacters);
  return end < quote.length ? `${quote.slice(0, end)}\u2026` : quote;
}
