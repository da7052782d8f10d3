import { escapeControls } from '../text/escape-controls.ts';
import type { Finding } from './finding.ts';
import type { Review } from './review.ts';

/** A review as JSON, without control characters in what Gemini or the repository wrote. docs/review.md lists its members. */
export type ReviewData = Omit<Review, 'title' | 'findings'> & {
  readonly change: string;
  readonly findings: readonly (Omit<Finding, 'isVerified'> & { readonly verified: boolean })[];
};

export function describeReviewAsData({ title, summary, findings, ...rest }: Review): ReviewData {
  const shown = findings.map(({ isVerified, ...finding }) => ({ verified: isVerified, ...escapeTexts(finding) }));
  return { change: escapeControls(title), summary: escapeControls(summary), findings: shown, ...rest };
}

function escapeTexts(finding: Omit<Finding, 'isVerified'>): Omit<Finding, 'isVerified'> {
  const { path, title, why, evidence, repair, fingerprint, reports } = finding;
  return {
    ...finding,
    path: escapeControls(path),
    title: escapeControls(title),
    why: escapeControls(why),
    evidence: escapeControls(evidence),
    repair: repair === null ? null : escapeControls(repair),
    fingerprint: escapeControls(fingerprint),
    ...(reports !== undefined && {
      reports: reports.map((report) => ({ ...report, title: escapeControls(report.title) })),
    }),
  };
}
