import { splitsPair } from '@gemini-mcp/core/internal';
import { Utf8Places } from './utf8-places.ts';
import type { VisibleParts } from './visible-parts.ts';

/** A part of an answer, as `groundingSupports[].segment` says it. */
export type Segment = {
  readonly partIndex: number;
  /** In bytes of UTF-8 within the part, as is the end, which is the first one after it. */
  readonly startByte: number;
  readonly endByte: number;
  /** What is there; null where that is not told. */
  readonly text: string | null;
};

/** In UTF-16 units of the visible text. */
export type Span = { readonly start: number; readonly end: number };

/** A hostile text is compared with hostile segments in a time that grows with the product of their lengths: a fifth of a second. */
const maxComparisons = 200_000_000;

/**
 * Where each segment is in the visible text; null for one that is nowhere. The text of a segment decides: where it is not at its
 * bytes, it is where it occurs once in the whole text.
 */
export function findSegments(segments: readonly Segment[], parts: VisibleParts): readonly (Span | null)[] {
  const { text } = parts;
  const places = new Utf8Places(text);
  let comparisons = 0;
  return segments.map((segment) => {
    const placed = spanByBytes(segment, parts, places);
    if (placed !== null || segment.text === null) {
      return placed;
    }
    comparisons += segment.text.length * text.length;
    return comparisons <= maxComparisons ? spanByText(segment.text, text) : null;
  });
}

function spanByBytes(
  { partIndex, startByte, endByte, text }: Segment,
  parts: VisibleParts,
  places: Utf8Places,
): Span | null {
  for (const unit of parts.startsOf(partIndex)) {
    const base = places.bytesAt(unit);
    const start = places.unitAt(base + startByte);
    const end = places.unitAt(base + endByte);
    const isSpan = start !== null && end !== null && start < end && startByte >= 0;
    if (isSpan && (text === null || parts.text.slice(start, end) === text)) {
      return { start, end };
    }
  }
  return null;
}

function spanByText(segment: string, text: string): Span | null {
  const start = text.indexOf(segment);
  const end = start + segment.length;
  const isOnce = start !== -1 && segment !== '' && text.indexOf(segment, start + 1) === -1;
  return isOnce && !splitsPair(text, start) && !splitsPair(text, end) ? { start, end } : null;
}
