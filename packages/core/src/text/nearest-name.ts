/** All known names are shorter, and comparing two takes time proportional to the product of their lengths. */
const maxCharacters = 40;

/** The known name most similar to a mistyped or shortened one; null if all are too different, or the given one has more than 40 characters. */
export function nearestName(given: string, known: readonly string[]): string | null {
  if (given.length > maxCharacters) {
    return null;
  }
  const [nearest] = known
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance < name.length && distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((one, other) => one.distance - other.distance);
  return nearest?.name ?? known.find((name) => given.length >= minShortened && name.startsWith(given)) ?? null;
}

/** The end of a message about an unknown name: ` Did you mean <name>?`, or nothing if no known name is similar. */
export function didYouMean(given: string, known: readonly string[]): string {
  const nearest = nearestName(given, known);
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}

/** Shorter prefixes match too many names. */
const minShortened = 3;

/** The number of letters to insert, remove or replace to turn one word into the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      const removed = (previous[column + 1] ?? 0) + 1;
      const inserted = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, removed, inserted));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
