import type { Finding, FindingReport } from './finding.ts';

/** A finding with the opinion that reports it. */
export type ReportedFinding = Finding & { readonly reports: readonly FindingReport[] };

/** The findings of one opinion, with its number. */
export function reportedBy(opinion: number, findings: readonly Finding[]): readonly ReportedFinding[] {
  return findings.map((finding) => {
    const { severity, title } = finding;
    return { ...finding, reports: [{ opinion, severity, title }] };
  });
}

/**
 * Findings of several opinions, best first, as one list: findings of different opinions on overlapping lines of a file become one. It is shown as the
 * best of them, and its reports have the words of each. An opinion's own findings stay apart, because different defects may share a line.
 */
export function mergeOpinions(findings: readonly ReportedFinding[]): readonly ReportedFinding[] {
  const merged: ReportedFinding[] = [];
  for (const finding of findings) {
    const place = merged.findIndex((other) => isOnSameLines(other, finding) && !shareOpinion(other, finding));
    const same = merged[place];
    if (same === undefined) {
      merged.push(finding);
    } else {
      merged[place] = { ...same, reports: [...same.reports, ...finding.reports] };
    }
  }
  return merged;
}

/** Without lines, only the words tell whether two findings are one. */
function isOnSameLines(one: Finding, other: Finding): boolean {
  if (one.path !== other.path) {
    return false;
  }
  return one.lines === null || other.lines === null
    ? one.lines === other.lines && one.title === other.title
    : one.lines.first <= other.lines.last && other.lines.first <= one.lines.last;
}

function shareOpinion(one: ReportedFinding, other: ReportedFinding): boolean {
  return one.reports.some(({ opinion }) => other.reports.some((report) => report.opinion === opinion));
}
