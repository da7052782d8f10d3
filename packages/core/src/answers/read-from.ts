import { splitsSurrogatePair } from '../text/splits-surrogate-pair.ts';
import { lineEnd } from '../text/truncate-text.ts';
import { type AnswerPart, describePart } from './answer-part.ts';

/**
 * Reads from an offset, up to `maxBytes` of UTF-8 (at least 4): to the end of a nearby line if possible, and never into the middle of a character.
 * Parts read in sequence, each from the `nextOffset` of the one before, join to exactly the text. An offset outside the text is moved to the nearest
 * one inside.
 */
export function readFrom(text: string, offset: number, maxBytes: number): AnswerPart {
  const place = Math.min(Math.max(0, Math.trunc(offset)), text.length);
  const start = splitsSurrogatePair(text, place) ? place - 1 : place;
  const end = lineEnd(text, start, maxBytes);
  return describePart(text, { start, end, isCut: end < text.length });
}

/** The beginning of a text, as `readFrom` reads it. */
export function firstPart(text: string, maxBytes: number): AnswerPart {
  return readFrom(text, 0, maxBytes);
}
