import type { AskAnswer, AskFailure } from '../answers/ask-result.ts';
import type { CallOrigin } from '../ask-gemini/ask-request.ts';
import type { ChangeSelection } from '../ports/change-reader.ts';
import type { TraceContext } from '../ports/trace-context.ts';
import type { Finding, Severity } from './finding.ts';

export type ReviewRequest = {
  readonly owner: string;
  readonly selection: ChangeSelection;
  /** Absolute. */
  readonly directory: string;
  /** Absolute directories: nothing outside them is read. */
  readonly roots: readonly string[];
  /** What to look at above all; null for everything. */
  readonly focus: string | null;
  /** The least severity of the findings that are returned. */
  readonly severity: Severity;
  /** Fingerprints of findings that the caller knows: they are counted and left out. Missing for none. */
  readonly known?: ReadonlySet<string>;
  /** Sees the size of the review before the first question. Returns null, or the reason for asking none, as sentences for a user. */
  readonly approve?: (estimate: ReviewEstimate) => string | null;
  /** As in `AskRequest`. */
  readonly model: string | null;
  /** How many models review the change, each without the others' findings; one if missing. */
  readonly opinions?: number;
  /** For everything together. */
  readonly timeoutMs: number;
  readonly trace?: TraceContext | undefined;
  readonly origin?: CallOrigin | undefined;
};

/** What a review takes, before the first question. */
export type ReviewEstimate = {
  readonly files: number;
  readonly questions: number;
  /** Of all questions together. */
  readonly inputTokens: number;
};

/** A changed file that was not reviewed, and why, as words after a colon. */
export type NotReviewed = { readonly path: string; readonly reason: string };

export type Review = {
  /** The two sides on one line. Untrusted, as it may name a branch. */
  readonly title: string;
  /** Verified ones first, then by severity and confidence. */
  readonly findings: readonly Finding[];
  /** What Gemini says of the change as a whole; empty if it said nothing. */
  readonly summary: string;
  /** Paths of the files that Gemini saw whole with their diffs. */
  readonly reviewed: readonly string[];
  /** Paths of the files of which Gemini saw only the diff. */
  readonly reviewedAsDiff: readonly string[];
  readonly notReviewed: readonly NotReviewed[];
  /** Paths of unchanged files that went with them. */
  readonly related: readonly string[];
  /** How many more there were, for which there was no room. */
  readonly relatedOmitted: number;
  /** Whether every file that imports a changed one was looked for; false if the search was cut short. */
  readonly hasAllImporters: boolean;
  /** How many questions it took. */
  readonly parts: number;
  /** Of several opinions, how many brought a review; missing if one was asked for. */
  readonly opinions?: number;
  /** How many findings were left out, by the reason. */
  readonly dropped: {
    readonly lessSevere: number;
    readonly repeated: number;
    /** The request names them as known. */
    readonly known: number;
    /** They have no usable form. */
    readonly unusable: number;
  };
};

/** The account of one of several opinions: `answer` has no text. */
export type ReviewOpinion = { readonly number: number } & (
  | { readonly ok: true; readonly answer: AskAnswer }
  | { readonly ok: false; readonly failed: AskFailure }
);

export type ReviewResult =
  | {
      readonly ok: true;
      readonly review: Review;
      /** The account of all questions, without text; null if nothing had to be asked. */
      readonly answer: AskAnswer | null;
      /** The account of each of several opinions; missing if one was asked for. */
      readonly opinions?: readonly ReviewOpinion[];
    }
  | { readonly ok: false; readonly failed: AskFailure }
  /** The change could not be read, or the caller did not approve the estimate. `problem` is our own text for a user. */
  | { readonly ok: false; readonly failed: null; readonly problem: string };
