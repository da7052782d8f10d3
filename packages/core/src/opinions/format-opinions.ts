import { failureReason } from '../account/failure-reason.ts';
import type { FailureWords } from '../account/failure-words.ts';
import { countOf } from '../text/format-count.ts';
import { quoteStrangers } from '../text/quote-strangers.ts';
import type { ComparedPoint, Comparison, ComparisonResult, PointKind } from './opinion.ts';

/** An opinion as a reader gets it. */
export type ShownOpinion = {
  readonly number: number;
  /** The model that answered; null without an answer. */
  readonly model: string | null;
  /** The answer or its beginning; null without an answer. */
  readonly text: string | null;
  /** How the answer was produced, why it is missing, and how to get its rest: our own lines. */
  readonly account: string;
};

export type OpinionsToFormat = {
  readonly opinions: readonly ShownOpinion[];
  readonly compared: ComparisonResult;
  /** How the comparison was produced; empty without one. */
  readonly comparisonAccount: string;
  readonly words?: FailureWords | undefined;
};

/** Opinions and their comparison as text for a reader: what Gemini wrote is marked line by line, everything else is ours. */
export function formatOpinions({ opinions, compared, comparisonAccount, words }: OpinionsToFormat): string {
  return [
    ...opinions.map(formatOpinion),
    compared.ok ? formatComparison(compared.comparison) : whyNotCompared(compared, words),
    ...(comparisonAccount === '' ? [] : [`The comparison:\n${comparisonAccount}`]),
  ].join('\n\n');
}

function formatOpinion({ number, model, text, account }: ShownOpinion): string {
  if (text === null) {
    return `Answer ${number} is missing: ${account}`;
  }
  const by = model === null ? '' : ` by ${model}`;
  return [`Answer ${number}${by}:`, quoteStrangers(text), ...(account === '' ? [] : [account])].join('\n');
}

const headings: Readonly<Record<PointKind, string>> = {
  agreement: 'Answers agree',
  'only-one': 'Only one answer says',
  contradiction: 'Answers contradict each other',
};

function formatComparison({ points, dropped }: Comparison): string {
  const sections = Object.entries(headings).flatMap(([kind, heading]) => {
    const ofKind = points.filter((point) => point.kind === kind);
    return ofKind.length === 0 ? [] : [`${heading} (${ofKind.length}):`, ...ofKind.map(formatPoint)];
  });
  const parts = sections.length === 0 ? ['The comparison has no point that the answers support.'] : sections;
  return [...parts, ...droppedLines(dropped)].join('\n');
}

function formatPoint({ statement, positions }: ComparedPoint, index: number): string {
  return [
    `${index + 1}. Answer ${positions.map(({ answer }) => answer).join(', ')}`,
    quoteStrangers(statement),
    ...positions.map(({ answer, says, quote }) => `Answer ${answer}:\n${quoteStrangers(`${says}\n"${quote}"`)}`),
  ].join('\n');
}

function droppedLines({ quotes, points, unusable }: Comparison['dropped']): readonly string[] {
  const said = [
    ...(quotes === 0 ? [] : [`${countOf(quotes, 'quote')} that the named answer does not contain`]),
    ...(points === 0 ? [] : [`${countOf(points, 'point')} without enough quotes`]),
    ...(unusable === 0 ? [] : [`${countOf(unusable, 'point')} in no usable form`]),
  ];
  return said.length === 0 ? [] : [`Left out of the comparison: ${said.join(', ')}.`];
}

/** Why there is no comparison, in our own words. */
export function whyNotCompared(
  { failed }: Extract<ComparisonResult, { readonly ok: false }>,
  words?: FailureWords,
): string {
  return failed === null
    ? 'Not compared: only one answer arrived.'
    : `Not compared: ${failureReason(failed.failure, words)}.`;
}
