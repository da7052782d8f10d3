import { splitsSurrogatePair } from './splits-surrogate-pair.ts';

/** The length of a string in UTF-8 bytes. A lone surrogate counts as the three bytes of the replacement character. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    bytes += utf8BytesAt(text, index);
  }
  return bytes;
}

/** The share of the UTF-16 unit at an index: each half of a surrogate pair takes two of the four bytes. */
export function utf8BytesAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0x80) {
    return 1;
  }
  if (unit < 0x800) {
    return 2;
  }
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  const placeInPair = unit < 0xdc00 ? index + 1 : index;
  return isSurrogate && splitsSurrogatePair(text, placeInPair) ? 2 : 3;
}
