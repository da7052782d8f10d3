import { splitsPair } from '@gemini-mcp/core/internal';

/** In UTF-16 code units. */
const usualLength = 64 * 1024;

/**
 * What is between the quotes where a text is written as JSON, in UTF-8: piece by piece, each made when it is asked for. `length` is that of the
 * text in a piece, in UTF-16 code units; at least 2, since no piece ends inside a character.
 */
export function* jsonTextPieces(text: string, length: number = usualLength): Generator<Buffer> {
  for (let start = 0; start < text.length; ) {
    const end = Math.min(start + length, text.length);
    const place = splitsPair(text, end) ? end - 1 : end;
    yield Buffer.from(JSON.stringify(text.slice(start, place))).subarray(1, -1);
    start = place;
  }
}
