import { confidences, type Finding, type Severity, severities } from './finding.ts';

export type OrderedFindings = {
  readonly findings: readonly Finding[];
  readonly lessSevere: number;
  readonly repeated: number;
  readonly known: number;
};

/** Drops less severe findings, repetitions and known ones, and puts verified and severe ones first. No two of the others share a fingerprint. */
export function orderFindings(
  findings: readonly Finding[],
  { least, known }: { readonly least: Severity; readonly known: ReadonlySet<string> },
): OrderedFindings {
  const severe = findings.filter(({ severity }) => severities.indexOf(severity) <= severities.indexOf(least));
  const ordered = severe.toSorted((one, other) => rank(one) - rank(other));
  const kept = ordered.filter((finding, place) => !ordered.slice(0, place).some((other) => isSame(finding, other)));
  const fresh = withOwnFingerprints(kept).filter(({ fingerprint }) => !known.has(fingerprint));
  const lessSevere = findings.length - severe.length;
  return { findings: fresh, lessSevere, repeated: ordered.length - kept.length, known: kept.length - fresh.length };
}

/** Numbers those about the same line, so that a known finding hides no second one. */
function withOwnFingerprints(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  return findings.map((finding) => {
    const count = (counts.get(finding.fingerprint) ?? 0) + 1;
    counts.set(finding.fingerprint, count);
    return count === 1 ? finding : { ...finding, fingerprint: `${finding.fingerprint}:${count}` };
  });
}

function rank({ isVerified, severity, confidence, place }: Finding): number {
  const places = ['changed', 'near', 'outside', 'unknown'].indexOf(place);
  return (isVerified ? 0 : 1_000) + severities.indexOf(severity) * 100 + confidences.indexOf(confidence) * 10 + places;
}

/** Two parts may report the same defect. Different defects may lie on the same line. */
function isSame(one: Finding, other: Finding): boolean {
  return one.path === other.path && one.title === other.title;
}
