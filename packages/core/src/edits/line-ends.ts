export type LineEnd = '\n' | '\r\n';

/** The line end that most lines of a text have; the first where two are equally many, `\n` where there is none. */
export function usualLineEnd(text: string): LineEnd {
  const sample = text.slice(0, maxSampledCharacters);
  const returns = countOf(sample, '\r\n');
  return returns > 0 && 2 * returns >= countOf(sample, '\n') ? '\r\n' : '\n';
}

/** Files do not change their mind later. */
const maxSampledCharacters = 1_000_000;

/** A text with `\n` alone, and the way back to the places of the text that it was made of. */
export type PlainLines = {
  readonly text: string;
  /** Places in the order in which they come in `text` to those in the original. */
  readonly originals: (places: readonly number[]) => readonly number[];
};

/** Reads each `\r\n` as `\n`. */
export function withPlainLineEnds(text: string): PlainLines {
  return {
    text: text.replaceAll('\r\n', '\n'),
    originals: (places) => {
      let returns = 0;
      let next = text.indexOf('\r\n');
      return places.map((place) => {
        // A place right after a line end lies after its return, too.
        while (next !== -1 && next - returns < place) {
          returns += 1;
          next = text.indexOf('\r\n', next + 2);
        }
        return place + returns;
      });
    },
  };
}

/** The same text with this line end after every line. */
export function withLineEnd(text: string, lineEnd: LineEnd): string {
  const plain = text.replaceAll('\r\n', '\n');
  return lineEnd === '\n' ? plain : plain.replaceAll('\n', lineEnd);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let place = text.indexOf(part); place !== -1; place = text.indexOf(part, place + part.length)) {
    count += 1;
  }
  return count;
}
