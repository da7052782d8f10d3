import type { FailureKind, GeminiFailure } from '../failure/gemini-failure.ts';

/** The purpose of a call. Chats and searches take no files and no timeout, so their users need other advice. */
export type CallPurpose = 'query' | 'chat' | 'search';

/** A text for one kind of failure, or a function of the failure and the purpose of the call. */
export type FailureText<Kind extends FailureKind> =
  | string
  | ((failure: Extract<GeminiFailure, { readonly kind: Kind }>, purpose: CallPurpose) => string);

/** A text for each kind. */
export type FailureTexts = { readonly [Kind in FailureKind]: FailureText<Kind> };

/**
 * Texts on failures that replace this package's own, by kind, such as those that name the settings of a program. Missing kinds use this package's
 * texts, which know neither the program around it nor the one that runs Gemini.
 */
export type FailureWords = {
  /** What happened: a phrase without a full stop, at which a sentence can end. */
  readonly reasons?: Partial<FailureTexts>;
  /** What a user can do: whole sentences. */
  readonly advice?: Partial<FailureTexts>;
};

export type FailureTextOptions = {
  readonly texts: Partial<FailureTexts> | undefined;
  /** The texts for kinds missing in `texts`. */
  readonly plain: FailureTexts;
  readonly purpose: CallPurpose;
};

/** The text for a failure. */
export function failureText(failure: GeminiFailure, { texts, plain, purpose }: FailureTextOptions): string {
  return textOf(failure.kind, failure, { ...plain, ...texts }, purpose);
}

function textOf<Kind extends FailureKind>(
  kind: Kind,
  failure: Extract<GeminiFailure, { readonly kind: Kind }>,
  texts: FailureTexts,
  purpose: CallPurpose,
): string {
  const text: FailureText<Kind> = texts[kind];
  return typeof text === 'string' ? text : text(failure, purpose);
}
