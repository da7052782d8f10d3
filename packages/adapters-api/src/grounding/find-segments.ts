import { splitsPair, utf8BytesAt } from '@gemini-mcp/core/internal';
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

/** So many units lie between two places that are remembered: no more are counted to find one. */
const strideUnits = 1_024;

/** Places in a text by bytes of UTF-8 and by UTF-16 units, each as the other. */
export class Utf8Places {
  readonly #text: string;
  /** Bytes before each unit whose place is a multiple of the stride. */
  readonly #bytesBefore: number[] = [];
  readonly #length: number;

  constructor(text: string) {
    this.#text = text;
    let bytes = 0;
    for (let unit = 0; unit < text.length; unit += 1) {
      if (unit % strideUnits === 0) {
        this.#bytesBefore.push(bytes);
      }
      bytes += utf8BytesAt(text, unit);
    }
    this.#length = bytes;
  }

  /** Bytes before a unit of the text. */
  bytesAt(unit: number): number {
    const stride = Math.floor(unit / strideUnits);
    let bytes = this.#bytesBefore[stride] ?? this.#length;
    for (let place = stride * strideUnits; place < Math.min(unit, this.#text.length); place += 1) {
      bytes += utf8BytesAt(this.#text, place);
    }
    return bytes;
  }

  /** Units before a byte; null where the byte lies inside of a character, or outside of the text. */
  unitAt(byte: number): number | null {
    if (!Number.isSafeInteger(byte) || byte < 0 || byte > this.#length) {
      return null;
    }
    let unit = this.#strideBefore(byte) * strideUnits;
    let bytes = this.bytesAt(unit);
    while (bytes < byte) {
      bytes += utf8BytesAt(this.#text, unit);
      unit += 1;
    }
    return bytes === byte && !splitsPair(this.#text, unit) ? unit : null;
  }

  #strideBefore(byte: number): number {
    let [low, high] = [0, this.#bytesBefore.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#bytesBefore[middle] ?? 0) <= byte) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
