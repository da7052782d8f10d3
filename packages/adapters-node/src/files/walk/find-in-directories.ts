import type { AllowedRoots } from '../allowed-roots.ts';
import type { Candidate } from '../document-reader.ts';
import type { LeftOutLedger } from '../left-out-ledger.ts';
import type { DescriptorProof } from '../open-verified.ts';
import type { RealRoots } from '../real-roots.ts';
import type { TimeSlices } from '../time-slices.ts';
import { wantEverything } from './entry-filter.ts';
import { DirectoryWalker } from './walk-directory.ts';
import { maxWalkedEntries, WalkFindings } from './walk-findings.ts';
import type { WalkTime } from './walk-time.ts';

export type FindOptions = {
  readonly names: AllowedRoots;
  readonly roots: RealRoots;
  readonly proof: DescriptorProof;
  readonly slices: TimeSlices;
  readonly time: WalkTime;
  readonly ledger: LeftOutLedger;
};

/** Finds the files below named directories, sorted by path. Rejects on abort. */
export async function findInDirectories(
  directories: readonly string[],
  { names, roots, proof, slices, time, ledger }: FindOptions,
): Promise<readonly Candidate[]> {
  const visitor = new WalkFindings('directory', ledger);
  const walker = new DirectoryWalker({
    roots,
    proof,
    slices,
    visitor,
    maxEntries: maxWalkedEntries,
    time,
    visitsOnce: true,
  });
  for (const source of new Set(directories)) {
    const place = names.locate(source);
    if (place === null) {
      ledger.addNamed(source, 'directory', { reason: 'outside-roots' });
      continue;
    }
    const end = await walker.walk(place, wantEverything(source));
    visitor.conclude(source, [end], { reason: 'not-found', detail: 'no files in it but ignored ones' });
  }
  return visitor.candidates();
}
