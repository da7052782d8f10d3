/** Of what a field or a choice is called. */
export const maxLabelCharacters = 500;

const usualMaxCharacters = 2_000;
const largestMaxCharacters = 10_000;

/** How many characters the answer to a field of text may have. */
export function maxCharactersOf({ maxCharacters = usualMaxCharacters }: { readonly maxCharacters?: number }): number {
  return Math.min(maxCharacters, largestMaxCharacters);
}
