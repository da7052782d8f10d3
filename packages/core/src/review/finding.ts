import type { PlacedLines } from './place-lines.ts';

export type Severity = 'critical' | 'high' | 'medium' | 'low';
export type Confidence = 'high' | 'medium' | 'low';
export type Category =
  | 'bug'
  | 'security'
  | 'concurrency'
  | 'data-loss'
  | 'performance'
  | 'compatibility'
  | 'error-handling'
  | 'tests'
  | 'other';

/** Worst first. */
export const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

/** Surest first. */
export const confidences: readonly Confidence[] = ['high', 'medium', 'low'];

export const categories: readonly Category[] = [
  ...(['bug', 'security', 'concurrency', 'data-loss', 'performance', 'compatibility'] as const),
  ...(['error-handling', 'tests', 'other'] as const),
];

/** A finding as Gemini wrote it. Nothing in it is checked. */
export type RawFinding = {
  readonly path: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly severity: Severity;
  readonly category: Category;
  readonly confidence: Confidence;
  readonly title: string;
  readonly why: string;
  /** Quoted from the file; may be empty. */
  readonly evidence: string;
  /** The text to replace and its replacement; null without a repair. */
  readonly repair: { readonly oldText: string; readonly newText: string } | null;
};

/** One opinion's report of a finding. */
export type FindingReport = {
  /** The number of the opinion, from 1. */
  readonly opinion: number;
  readonly severity: Severity;
  readonly title: string;
};

/** A finding after our checks. Its texts are Gemini's: escape them before showing them. */
export type Finding = Omit<RawFinding, 'firstLine' | 'lastLine' | 'repair'> & {
  /** The lines in the file after the change; null if the finding cannot be placed. */
  readonly lines: { readonly first: number; readonly last: number } | null;
  /** Where these lines are. */
  readonly place: PlacedLines['place'];
  /** Whether the evidence is in the file; if `moved`, we corrected the lines. */
  readonly evidenceCheck: 'found' | 'moved' | 'missing' | 'none';
  /** The repair as a unified diff that applies to the file after the change; null if missing, or if it does not apply. */
  readonly repair: string | null;
  readonly repairCheck: 'applies' | 'fails' | 'none';
  /**
   * Recognizes the finding in a later review: its path, category and the first line of its evidence, or its title without evidence. It stays
   * the same if lines move or Gemini uses other words.
   */
  readonly fingerprint: string;
  /** Whether it has a place in a file that was sent, with its evidence there. */
  readonly isVerified: boolean;
  /** In a review by several opinions, each one that reports it; the first is the one shown. Otherwise missing. */
  readonly reports?: readonly FindingReport[];
};
