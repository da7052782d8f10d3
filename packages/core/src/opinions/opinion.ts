import type { AskAnswer, AskFailure, AskResult } from '../answers/ask-result.ts';

/** One of several independent answers to a question, or why it is missing. */
export type Opinion = AskResult & {
  /** From 1, by which the comparison refers to it. */
  readonly number: number;
};

export type PointKind = 'agreement' | 'only-one' | 'contradiction';

/** What one answer says on a point. The texts are Gemini's: escape them before showing them. */
export type Position = {
  /** The number of the answer. */
  readonly answer: number;
  readonly says: string;
  /** Words of that answer, word for word but for line ends and marks of Markdown. */
  readonly quote: string;
};

/** A point of a comparison. Its texts are Gemini's. */
export type ComparedPoint = {
  readonly kind: PointKind;
  readonly statement: string;
  /** The answers that the point rests on, each once: one for `only-one`, otherwise at least two. */
  readonly positions: readonly Position[];
};

/** A comparison after our checks. */
export type Comparison = {
  /** Agreements, then what only one answer says, then contradictions. */
  readonly points: readonly ComparedPoint[];
  readonly dropped: {
    /** Quotes that do not occur in the answer that they name. */
    readonly quotes: number;
    /** Points that had too few answers left without such quotes. */
    readonly points: number;
    /** Entries in no usable form, and those after the limit. */
    readonly unusable: number;
  };
};

export type ComparisonResult =
  /** The text of `answer` is not shown. */
  | { readonly ok: true; readonly comparison: Comparison; readonly answer: AskAnswer }
  /** `failed` is null if only one answer arrived, so that there was nothing to compare. */
  | { readonly ok: false; readonly failed: AskFailure | null };

export type OpinionsResult =
  /** At least one of `opinions` is an answer. */
  | { readonly ok: true; readonly opinions: readonly Opinion[]; readonly compared: ComparisonResult }
  /** No answer arrived: the failure of the first one. */
  | { readonly ok: false; readonly failed: AskFailure };
