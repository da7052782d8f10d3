import { escapeName } from '../text/escape-name.ts';
import { countOf } from '../text/format-count.ts';
import { quoteStrangers } from '../text/quote-strangers.ts';
import type { Finding } from './finding.ts';
import type { NotReviewed, Review } from './review.ts';

/** A review as text for a reader: what Gemini wrote is marked line by line, everything else is ours. */
export function formatReview(review: Review): string {
  const { findings, summary, notReviewed } = review;
  const lines = [
    `${headline(review)}.`,
    ...(findings.length === 0 ? [] : [summary].filter((text) => text !== '').map(quoteStrangers)),
    ...findings.flatMap((finding, index) => ['', ...formatFinding(finding, index + 1, review)]),
    ...(findings.length === 0 ? [] : ['']),
    ...droppedLines(review.dropped),
    ...relatedLine(review),
    ...notReviewedLines(notReviewed),
  ];
  return lines.join('\n').trimEnd();
}

function headline({ title, findings, reviewed, reviewedAsDiff }: Review): string {
  const files = reviewed.length + reviewedAsDiff.length;
  if (files === 0) {
    return `Nothing to review in ${escapeName(title)}`;
  }
  const about = `${countOf(files, 'file')} of ${escapeName(title)}`;
  const verified = findings.filter(({ isVerified }) => isVerified).length;
  return findings.length === 0
    ? `No findings in ${about}`
    : `${countOf(findings.length, 'finding')} (${verified} verified) in ${about}`;
}

function formatFinding(finding: Finding, number: number, { opinions }: Review): readonly string[] {
  const { severity, category, confidence, title, why, evidence, repair, reports = [] } = finding;
  const state = finding.isVerified ? 'verified' : `not verified: ${whyUnverified(finding)}`;
  const reported = opinions === undefined ? [] : [`reported by ${reports.length} of ${countOf(opinions, 'opinion')}`];
  return [
    `${number}. ${severity} ${category}, ${placeOf(finding)} [${[state, `confidence ${confidence}`, ...reported].join('; ')}]`,
    quoteStrangers(`${title}\n${why}`),
    ...(evidence.trim() === '' ? [] : ['Evidence:', quoteStrangers(evidence)]),
    ...(repair === null ? [] : ['Repair, which applies:', quoteStrangers(repair.trimEnd())]),
    ...reports.slice(1).map((other) => `Opinion ${other.opinion}, ${other.severity}:\n${quoteStrangers(other.title)}`),
    ...(finding.repairCheck === 'fails' ? ['Its repair does not apply and is left out.'] : []),
  ];
}

/** Such as `src/a.ts:10-12`. */
function placeOf({ path, lines }: Pick<Finding, 'path' | 'lines'>): string {
  if (lines === null) {
    return escapeName(path);
  }
  const end = lines.last === lines.first ? '' : `-${lines.last}`;
  return `${escapeName(path)}:${lines.first}${end}`;
}

function whyUnverified({ place, evidenceCheck }: Finding): string {
  if (place === 'unknown') {
    return 'it names no file and lines of this change';
  }
  return evidenceCheck === 'none' ? 'it quotes no evidence' : 'its evidence is not in the file';
}

function droppedLines({ lessSevere, repeated, known, unusable }: Review['dropped']): readonly string[] {
  const said = [
    ...(lessSevere === 0 ? [] : [`${lessSevere} less severe`]),
    ...(repeated === 0 ? [] : [`${repeated} repeated`]),
    ...(known === 0 ? [] : [`${known} known before`]),
    ...(unusable === 0 ? [] : [`${unusable} in no usable form`]),
  ];
  return said.length === 0 ? [] : [`Findings left out: ${said.join(', ')}.`];
}

function relatedLine({ related, relatedOmitted, hasAllImporters, reviewedAsDiff, parts }: Review): readonly string[] {
  return [
    ...(related.length === 0 ? [] : [`Sent with it: ${countOf(related.length, 'unchanged file')} around the change.`]),
    ...(relatedOmitted === 0 ? [] : [`No room for ${countOf(relatedOmitted, 'more file')} around it.`]),
    ...(hasAllImporters ? [] : ['The search for files that import the changed ones was cut short.']),
    ...(reviewedAsDiff.length === 0
      ? []
      : [`Only the diff was sent of: ${reviewedAsDiff.map(escapeName).join(', ')}.`]),
    ...(parts < 2 ? [] : [`Reviewed in ${countOf(parts, 'question')}.`]),
  ];
}

const shownPerReason = 10;

/** Grouped by reason, so that a hundred generated files take one line. */
function notReviewedLines(entries: readonly NotReviewed[]): readonly string[] {
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of entries) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), escapeName(path)]);
  }
  const lines = [...byReason].map(([reason, paths]) => {
    const more = paths.length > shownPerReason ? `, and ${paths.length - shownPerReason} more` : '';
    return `  - ${reason}: ${paths.slice(0, shownPerReason).join(', ')}${more}`;
  });
  return lines.length === 0 ? [] : [`Not reviewed (${entries.length}):`, ...lines];
}
