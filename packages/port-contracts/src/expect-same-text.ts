import { showValue } from './show-value.ts';

const charactersBefore = 10;
const charactersAfter = 20;

/** Throws an error with the place of the first difference: a diff of megabytes helps no one. */
export function expectSameText(actual: string | undefined, expected: string): void {
  if (actual === expected) {
    return;
  }
  if (actual === undefined) {
    throw new Error(`no text came where ${showValue(expected)} was expected`);
  }
  const place = findDifference(actual, expected);
  throw new Error(
    `the text differs from character ${place} on: ${cutAround(actual, place)} in place of ${cutAround(expected, place)}; ` +
      `${actual.length} characters came, ${expected.length} were expected`,
  );
}

function findDifference(one: string, other: string): number {
  let place = 0;
  while (place < one.length && one[place] === other[place]) {
    place += 1;
  }
  return place;
}

function cutAround(text: string, place: number): string {
  return JSON.stringify(text.slice(Math.max(0, place - charactersBefore), place + charactersAfter));
}
