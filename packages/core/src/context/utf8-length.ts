/** Bytes that a well-formed string takes in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    bytes += extraBytes(text.charCodeAt(index));
  }
  return bytes;
}

/** What a UTF-16 unit adds to one byte: each half of a surrogate pair stands for two of the four. */
function extraBytes(unit: number): number {
  if (unit < 0x80) {
    return 0;
  }
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  return unit < 0x800 || isSurrogate ? 1 : 2;
}
