import type { FailureKind, GeminiFailure } from '../failure/gemini-failure.ts';

/** What a call was for. A user of a chat or a search names no files and gives no timeout: they need other advice. */
export type CallPurpose = 'query' | 'chat' | 'search';

/** A text for one kind of failure, or what makes it of the failure and of what the call was for. */
export type FailureText<Kind extends FailureKind> =
  | string
  | ((failure: Extract<GeminiFailure, { readonly kind: Kind }>, purpose: CallPurpose) => string);

/** A text for each kind. */
export type FailureTexts = { readonly [Kind in FailureKind]: FailureText<Kind> };

/**
 * Words on failures in the place of this package's own, by kind, such as those that name the settings of a program. What is
 * missing is said in the words of this package, which know neither of a program around it nor of one that runs Gemini.
 */
export type FailureWords = {
  /** What happened: a few words without a full stop, after which a sentence can end. */
  readonly reasons?: Partial<FailureTexts>;
  /** What a user can do: whole sentences. */
  readonly advice?: Partial<FailureTexts>;
};

export type FailureTextOptions = {
  readonly texts: Partial<FailureTexts> | undefined;
  /** Says what `texts` leaves out. */
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
