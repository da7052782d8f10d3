import { confidences, type Finding, type Severity, severities } from './finding.ts';

export type OrderedFindings = {
  readonly findings: readonly Finding[];
  readonly lessSevere: number;
  readonly repeated: number;
};

/** Drops less severe findings and repetitions, and puts verified and severe ones first. */
export function orderFindings(findings: readonly Finding[], least: Severity): OrderedFindings {
  const severe = findings.filter(({ severity }) => severities.indexOf(severity) <= severities.indexOf(least));
  const ordered = severe.toSorted((one, other) => rank(one) - rank(other));
  const kept = ordered.filter((finding, place) => !ordered.slice(0, place).some((other) => isSame(finding, other)));
  return { findings: kept, lessSevere: findings.length - severe.length, repeated: ordered.length - kept.length };
}

function rank({ isVerified, severity, confidence, place }: Finding): number {
  const places = ['changed', 'near', 'outside', 'unknown'].indexOf(place);
  return (isVerified ? 0 : 1_000) + severities.indexOf(severity) * 100 + confidences.indexOf(confidence) * 10 + places;
}

/** Two parts may report the same defect. Different defects may lie on the same line. */
function isSame(one: Finding, other: Finding): boolean {
  return one.path === other.path && one.title === other.title;
}
