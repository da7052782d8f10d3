import type { AllowedRoots, NamedPlace } from '../allowed-roots.ts';
import type { Candidate } from '../document-reader.ts';
import type { LeftOutLedger } from '../left-out-ledger.ts';
import { type GlobPattern, parseGlobPattern } from '../patterns/glob-pattern.ts';
import { type SoughtBranch, wantMatches } from './entry-filter.ts';
import type { FindOptions } from './find-in-directories.ts';
import { DirectoryWalker, type WalkEnd } from './walk-directory.ts';
import { maxWalkedEntries, WalkFindings } from './walk-findings.ts';

/** With names of 255 characters, what keeps asking all patterns about one name within some tens of milliseconds. */
const maxCost = 8_192;

/** Finds the files that patterns match, sorted by path. Walks only below what each pattern spells out. Rejects on abort. */
export async function findByGlobs(sources: readonly string[], options: FindOptions): Promise<readonly Candidate[]> {
  const { names, roots, proof, slices, time, ledger } = options;
  const visitor = new WalkFindings('glob', ledger);
  const walker = new DirectoryWalker({
    roots,
    proof,
    slices,
    visitor,
    maxEntries: maxWalkedEntries,
    time,
    visitsOnce: false,
  });
  const patterns = parsePatterns(sources, ledger);
  const ends = new Map<string, WalkEnd[]>();
  for (const { place, sought } of groupByPlace(patterns, names)) {
    const end = place === null ? outsideRoots : await walker.walk(place, wantMatches(sought));
    for (const { source } of sought) {
      ends.set(source, [...(ends.get(source) ?? []), isNothing(end) ? 'complete' : end]);
    }
  }
  for (const [source, ended] of ends) {
    visitor.conclude(source, ended, { reason: 'pattern-without-match' });
  }
  return visitor.candidates();
}

const outsideRoots: WalkEnd = { ok: false, reason: 'outside-roots' };

function parsePatterns(sources: readonly string[], ledger: LeftOutLedger): ReadonlyMap<string, GlobPattern> {
  const patterns = new Map<string, GlobPattern>();
  let remainingCost = maxCost;
  for (const source of new Set(sources)) {
    const parsed = parseGlobPattern(source);
    if (!parsed.ok) {
      ledger.addNamed(source, 'glob', { reason: 'pattern-refused', detail: parsed.problem });
    } else if (parsed.pattern.cost > remainingCost) {
      ledger.addNamed(source, 'glob', {
        reason: 'pattern-refused',
        detail: 'too intricate, with the others of this call',
      });
    } else {
      remainingCost -= parsed.pattern.cost;
      patterns.set(source, parsed.pattern);
    }
  }
  return patterns;
}

type Search = {
  /** Null outside the roots. */
  readonly place: NamedPlace | null;
  readonly sought: SoughtBranch[];
};

/** Patterns that begin at one directory share one walk. */
function groupByPlace(patterns: ReadonlyMap<string, GlobPattern>, names: AllowedRoots): Iterable<Search> {
  const searches = new Map<string | null, Search>();
  for (const [source, { branches }] of patterns) {
    for (const branch of branches) {
      const place = names.locate(branch.directory);
      const key = place?.absolutePath ?? null;
      const search = searches.get(key) ?? { place, sought: [] };
      search.sought.push({ source, branch });
      searches.set(key, search);
    }
  }
  return searches.values();
}

/** A directory that does not exist holds no match: that is all there is to say. */
function isNothing(end: WalkEnd): boolean {
  return typeof end !== 'string' && (end.reason === 'not-found' || end.reason === 'not-a-directory');
}
