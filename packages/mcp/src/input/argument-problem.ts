/** What is wrong with one place of the arguments. Both kinds of schemas end in these, so that a caller reads the same words of both. */
export type ArgumentProblem = {
  /** Names and indexes from the arguments down to the place; empty for the arguments as a whole. */
  readonly path: readonly PropertyKey[];
} & (
  | {
      readonly type: 'unknown-names';
      readonly names: readonly string[];
      /** The names that there are at this place, as far as they are known. */
      readonly known: readonly string[];
    }
  | { readonly type: 'missing' }
  | { readonly type: 'wrong-type'; readonly expected: readonly string[] }
  | Limit
  | { readonly type: 'not-listed'; readonly allowed: readonly unknown[] }
  /** `message` says what the value must be, in words that are safe to show. */
  | { readonly type: 'rule'; readonly message: string }
  | { readonly type: 'other' }
);

type Limit = {
  readonly type: 'too-much' | 'too-little';
  /** What is counted; null where the value itself is limited. */
  readonly counted: 'character' | 'item' | 'name' | null;
  readonly limit: number | bigint;
  /** Whether the limit itself is too much, or too little. */
  readonly isExclusive: boolean;
};

/** A name that the arguments may have. */
export type AcceptedName = { readonly name: string; readonly isRequired: boolean };
