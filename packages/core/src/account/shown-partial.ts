import { byteEnd } from '../text/truncate-text.ts';

const maxPartialBytes = 20_000;

/** Each line of a quotation takes two bytes more than it did. */
const maxPartialLines = 5_000;

/** As much of the beginning of a partial answer as a failure shows. */
export function shownPartial(text: string): string {
  const beginning = text.slice(0, byteEnd(text, 0, maxPartialBytes));
  return beginning.slice(0, endOfLines(beginning));
}

/** Where the last line ends that is shown, its line end left aside. */
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
