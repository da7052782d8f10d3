/** A sequence to search in: characters of a text, or lines. Equal elements have equal numbers. */
type Sequence = { readonly length: number; readonly at: (index: number) => number };

/**
 * Where a sequence occurs in another, including overlaps, at most `limit` times. Takes time linear in the sum of the lengths (Knuth, Morris and
 * Pratt); `indexOf` is quadratic if both repeat themselves.
 */
export function findOccurrences(where: Sequence, what: Sequence, limit: number): readonly number[] {
  const found: number[] = [];
  if (what.length === 0 || what.length > where.length) {
    return found;
  }
  const fallbacks = fallbacksOf(what);
  let matched = 0;
  for (let index = 0; index < where.length && found.length < limit; index += 1) {
    matched = advance(what, fallbacks, matched, where.at(index));
    if (matched === what.length) {
      found.push(index + 1 - matched);
      matched = fallbacks[matched - 1] ?? 0;
    }
  }
  return found;
}

/** The same for two texts. */
export function findText(where: string, what: string, limit: number): readonly number[] {
  const first = where.indexOf(what[0] ?? '');
  if (what === '' || first === -1) {
    return [];
  }
  return findOccurrences(sequenceOf(where), sequenceOf(what), limit);
}

function sequenceOf(text: string): Sequence {
  return { length: text.length, at: (index) => text.charCodeAt(index) };
}

/** For each prefix of the sequence, the length of the longest shorter prefix that it ends with. */
function fallbacksOf(what: Sequence): Int32Array {
  const fallbacks = new Int32Array(what.length);
  for (let index = 1; index < what.length; index += 1) {
    fallbacks[index] = advance(what, fallbacks, fallbacks[index - 1] ?? 0, what.at(index));
  }
  return fallbacks;
}

function advance(what: Sequence, fallbacks: Int32Array, matched: number, next: number): number {
  let length = matched;
  while (length > 0 && (length === what.length || what.at(length) !== next)) {
    length = fallbacks[length - 1] ?? 0;
  }
  return what.at(length) === next ? length + 1 : length;
}
