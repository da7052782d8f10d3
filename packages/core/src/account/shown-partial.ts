import { byteEnd } from '../text/truncate-text.ts';

const maxPartialBytes = 20_000;

/** Quoting adds two bytes to each line. */
const maxPartialLines = 5_000;

/** The beginning of a partial answer, as far as a failure shows it. */
export function shownPartial(text: string): string {
  const beginning = text.slice(0, byteEnd(text, 0, maxPartialBytes));
  return beginning.slice(0, endOfLines(beginning));
}

/** The end of the last shown line, without its line end. */
function endOfLines(text: string): number {
  let lines = 0;
  for (const { index } of text.matchAll(/\r\n|\r|\n/g)) {
    lines += 1;
    if (lines === maxPartialLines) {
      return index;
    }
  }
  return text.length;
}
