import { splitsSurrogatePair } from './splits-surrogate-pair.ts';
import { utf8BytesAt } from './utf8-length.ts';

/** Where to cut a text for at most `maxCharacters` from `start`: at its end, or before a character that would be split. */
export function characterEnd(text: string, start: number, maxCharacters: number): number {
  const end = Math.min(text.length, start + maxCharacters);
  return splitsSurrogatePair(text, end) && end - 1 > start ? end - 1 : end;
}

/** Where to cut a text for at most `maxBytes` of UTF-8 from `start`. Takes time linear in `maxBytes`, not in the text. */
export function byteEnd(text: string, start: number, maxBytes: number): number {
  let end = start;
  for (let left = maxBytes; end < text.length; end += 1) {
    left -= utf8BytesAt(text, end);
    if (left < 0) {
      break;
    }
  }
  return end > start && splitsSurrogatePair(text, end) ? end - 1 : end;
}

/** Like `byteEnd`, but after a line end if the last quarter of the room contains one. */
export function lineEnd(text: string, start: number, maxBytes: number): number {
  const end = byteEnd(text, start, maxBytes);
  if (end === text.length) {
    return end;
  }
  const firstPlace = byteEnd(text, start, Math.ceil(maxBytes * 0.75));
  const afterLine = text.slice(start, end).lastIndexOf('\n') + 1 + start;
  return afterLine > start && afterLine >= firstPlace ? afterLine : end;
}

/** The start of the longest end of a text that fits into `maxBytes` of UTF-8. */
export function byteStart(text: string, maxBytes: number): number {
  let start = text.length;
  for (let left = maxBytes; start > 0; start -= 1) {
    left -= utf8BytesAt(text, start - 1);
    if (left < 0) {
      break;
    }
  }
  return splitsSurrogatePair(text, start) ? start + 1 : start;
}
