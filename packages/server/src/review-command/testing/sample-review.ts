import type { Finding, Review } from '@gemini-mcp/core';

export const sampleFinding: Finding = {
  ...{ path: 'src/a.ts', lines: { first: 3, last: 5 }, place: 'changed', severity: 'high', category: 'bug' },
  ...{ confidence: 'high', title: 'It breaks.', why: 'Because.', evidence: 'bad();', evidenceCheck: 'found' },
  ...{ repair: null, repairCheck: 'none', fingerprint: 'src/a.ts:bug:bad();', isVerified: true },
};

export function sampleReview(...findings: readonly Partial<Finding>[]): Review {
  return {
    ...{ title: 'a..b', summary: 'A change.', reviewed: ['src/a.ts'], reviewedAsDiff: [], notReviewed: [] },
    findings: findings.map((finding) => ({ ...sampleFinding, ...finding })),
    ...{ related: [], relatedOmitted: 0, hasAllImporters: true, parts: 1 },
    dropped: { lessSevere: 0, repeated: 0, known: 0, unusable: 0 },
  };
}
