export type Sealed =
  | { readonly sealed: true; readonly text: string }
  | { readonly sealed: false; readonly problem: string };

export type Unsealed =
  | { readonly type: 'opened'; readonly text: string }
  /** The text was changed, or sealed for another place. */
  | { readonly type: 'forged' }
  /** The key is unavailable, or no longer available. Sentences for a user. */
  | { readonly type: 'no-key'; readonly problem: string };

/**
 * Encrypts texts with a key that is stored apart from them. A sealed text opens only with that key and only for the place that it was sealed for.
 * Nothing rejects.
 */
export interface Sealer {
  /** Resolves to null if sealing works now, otherwise to the reason: sentences for a user. */
  prepare(): Promise<string | null>;
  seal(text: string, place: string): Promise<Sealed>;
  open(sealed: string, place: string): Promise<Unsealed>;
}
