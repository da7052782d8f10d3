import { confidences, type Finding, type Severity, severities } from './finding.ts';
import { mergeOpinions, reportedBy } from './merge-opinions.ts';

export type OrderedFindings = {
  readonly findings: readonly Finding[];
  readonly lessSevere: number;
  readonly repeated: number;
  readonly known: number;
};

/**
 * The findings of each opinion as one list. Drops less severe findings, an opinion's repetitions and known ones, and puts verified and severe ones first.
 * No two of the others share a fingerprint.
 */
export function orderFindings(
  byOpinion: readonly (readonly Finding[])[],
  { least, known }: { readonly least: Severity; readonly known: ReadonlySet<string> },
): OrderedFindings {
  const all = byOpinion.flat();
  const severe = byOpinion.map((findings) => findings.filter((finding) => isAsSevere(finding, least)).toSorted(byRank));
  const once = severe.map(withoutRepetitions);
  const merged =
    once.length === 1
      ? once.flat()
      : mergeOpinions(once.flatMap((findings, index) => reportedBy(index + 1, findings)).toSorted(byRank));
  const fresh = withOwnFingerprints(merged).filter(({ fingerprint }) => !known.has(fingerprint));
  return {
    findings: fresh,
    lessSevere: all.length - severe.flat().length,
    repeated: severe.flat().length - once.flat().length,
    known: merged.length - fresh.length,
  };
}

function isAsSevere({ severity }: Finding, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}

/** Two parts may report the same defect. Different defects may lie on the same line. */
function withoutRepetitions(findings: readonly Finding[]): readonly Finding[] {
  const isSame = (one: Finding, other: Finding): boolean => one.path === other.path && one.title === other.title;
  return findings.filter((finding, place) => !findings.slice(0, place).some((other) => isSame(finding, other)));
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

function byRank(one: Finding, other: Finding): number {
  return rank(one) - rank(other);
}

function rank({ isVerified, severity, confidence, place }: Finding): number {
  const places = ['changed', 'near', 'outside', 'unknown'].indexOf(place);
  return (isVerified ? 0 : 1_000) + severities.indexOf(severity) * 100 + confidences.indexOf(confidence) * 10 + places;
}
