/** A piece of text that takes the place of another in a file. */
export type Replacement = {
  /** What is there, exactly; never empty. */
  readonly oldText: string;
  /** What comes in its place, taken literally. */
  readonly newText: string;
  /** Whether every occurrence is replaced; otherwise there has to be exactly one. */
  readonly all: boolean;
};
