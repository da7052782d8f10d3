import { randomUUID } from 'node:crypto';

/** Encoded in a millisecond or two, whatever it is made of. */
const maxSliceBytes = 262_144;

/** `\u0000`: nothing becomes longer in JSON. */
const maxBytesPerEscapedUnit = 6;
const maxBytesPerUnit = 3;

/** Shorter strings cost less together with what is around them than in pieces of their own. */
const longStringUnits = 4_096;

/**
 * The line of `message`, byte for byte what JSON.stringify gives and a line feed, in slices of at most 256 KiB. Everything
 * but its long strings is encoded at once, and each slice of these when it is asked for, so that a writer of megabytes
 * has air between. Throws what JSON.stringify throws, before the first slice.
 */
export function encodeMessage(message: Readonly<Record<string, unknown>>): Iterable<Buffer> {
  const longStrings: string[] = [];
  // Made when all text is there already, so no text can contain it.
  const placeholder = randomUUID();
  const frame = JSON.stringify(message, (_name, value: unknown) => {
    if (typeof value !== 'string' || value.length <= longStringUnits) {
      return value;
    }
    longStrings.push(value);
    return placeholder;
  });
  return encodeSlices(`${frame}\n`.split(placeholder), longStrings);
}

function* encodeSlices(frameParts: readonly string[], longStrings: readonly string[]): Iterable<Buffer> {
  for (const [index, part] of frameParts.entries()) {
    for (const piece of cut(part, Math.floor(maxSliceBytes / maxBytesPerUnit))) {
      yield Buffer.from(piece);
    }
    for (const piece of cut(longStrings[index] ?? '', Math.floor(maxSliceBytes / maxBytesPerEscapedUnit))) {
      yield Buffer.from(JSON.stringify(piece).slice(1, -1));
    }
  }
}

function* cut(text: string, maxUnits: number): Iterable<string> {
  let start = 0;
  while (start < text.length) {
    const end = cutsPair(text, start + maxUnits) ? start + maxUnits - 1 : start + maxUnits;
    yield text.slice(start, end);
    start = end;
  }
}

/** Each half of a pair would be escaped as if it stood alone. */
function cutsPair(text: string, at: number): boolean {
  return at < text.length && isSurrogate(text.charCodeAt(at - 1), 0xd800) && isSurrogate(text.charCodeAt(at), 0xdc00);
}

function isSurrogate(unit: number, firstOfHalf: 0xd800 | 0xdc00): boolean {
  return unit >= firstOfHalf && unit < firstOfHalf + 0x400;
}
