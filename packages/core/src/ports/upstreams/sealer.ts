export type Sealed =
  | { readonly sealed: true; readonly text: string }
  | { readonly sealed: false; readonly problem: string };

export type Opened =
  | { readonly type: 'opened'; readonly text: string }
  /** It was changed, or sealed for another place. */
  | { readonly type: 'forged' }
  /** The key cannot be had, or not any more. Sentences for a user. */
  | { readonly type: 'no-key'; readonly problem: string };

/**
 * Seals texts with a key that is kept apart from them: a sealed text can be read with that key alone, and opened for the place that it
 * was sealed for alone. Nothing rejects.
 */
export interface Sealer {
  /** Null if something can be sealed now, otherwise why not: sentences for a user. */
  prepare(): Promise<string | null>;
  seal(text: string, place: string): Promise<Sealed>;
  open(sealed: string, place: string): Promise<Opened>;
}
