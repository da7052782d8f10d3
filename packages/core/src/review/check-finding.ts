import { unifiedDiff } from '../edits/unified-diff.ts';
import type { Finding, RawFinding } from './finding.ts';
import type { PatchFile } from './parse-patch.ts';
import { placeLines } from './place-lines.ts';

/** A file of a change, as a review needs it. */
export type ReviewedFile = PatchFile & {
  readonly path: string;
  /** The whole file after the change, with plain line ends; null if unknown or deleted. */
  readonly after: string | null;
};

/**
 * Checks a finding against the files that Gemini was sent: its lines against the diff, its evidence against the text, and whether its repair applies.
 * Lines are corrected if the evidence is found at exactly one other place of the file.
 */
export function checkFinding(raw: RawFinding, files: ReadonlyMap<string, ReviewedFile>): Finding {
  const { firstLine, lastLine, repair: wanted, ...said } = raw;
  const file = findFile(raw.path, files);
  const fingerprint = fingerprintOf(raw, file?.path ?? raw.path);
  if (file === undefined) {
    const evidenceCheck = raw.evidence.trim() === '' ? 'none' : 'missing';
    const repairCheck = wanted === null ? 'none' : 'fails';
    const unplaced = { lines: null, place: 'unknown', repair: null, isVerified: false } as const;
    return { ...said, ...unplaced, evidenceCheck, repairCheck, fingerprint };
  }
  const told = { first: firstLine, last: Math.max(firstLine, lastLine) };
  const { lines, evidenceCheck } = checkEvidence(raw.evidence, file, told);
  const place = placeLines(file, lines, file.after === null ? null : countLines(file.after));
  const isPlaced = place !== 'unknown';
  const isFound = evidenceCheck === 'found' || evidenceCheck === 'moved';
  return {
    ...said,
    path: file.path,
    lines: isPlaced ? lines : null,
    place,
    evidenceCheck,
    ...checkRepair(file, wanted),
    fingerprint,
    isVerified: isPlaced && isFound,
  };
}

const maxAnchorCharacters = 200;

function fingerprintOf({ category, evidence, title }: RawFinding, path: string): string {
  const [line = ''] = evidence.split('\n').filter((each) => each.trim().length >= minEvidenceCharacters);
  const anchor = (line === '' ? title.toLowerCase() : line).replace(/\s+/g, ' ').trim();
  return `${path}:${category}:${anchor.slice(0, maxAnchorCharacters)}`;
}

function checkRepair(file: ReviewedFile, wanted: RawFinding['repair']): Pick<Finding, 'repair' | 'repairCheck'> {
  const repair = wanted === null ? null : repairPatch(file, wanted);
  const failed = wanted === null ? 'none' : 'fails';
  return { repair, repairCheck: repair === null ? failed : 'applies' };
}

/** Gemini may repeat the prefixes of a diff. */
function findFile(path: string, files: ReadonlyMap<string, ReviewedFile>): ReviewedFile | undefined {
  return files.get(path) ?? files.get(path.replace(/^(?:\.|a|b)\//, ''));
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

type Lines = { readonly first: number; readonly last: number };

type CheckedEvidence = { readonly lines: Lines; readonly evidenceCheck: Finding['evidenceCheck'] };

/** Evidence may be copied a few lines off, or counted from the old file. */
const slackLines = 3;

/** A bracket is in every file. */
const minEvidenceCharacters = 4;

function checkEvidence(evidence: string, file: ReviewedFile, told: Lines): CheckedEvidence {
  const wanted = evidence.split('\n').map((line) => line.trim());
  while (wanted.length > 0 && wanted.at(-1) === '') {
    wanted.pop();
  }
  while (wanted[0] === '') {
    wanted.shift();
  }
  if (wanted.join('').length < minEvidenceCharacters) {
    return { lines: told, evidenceCheck: 'none' };
  }
  const places = findLines(wanted, (file.after ?? '').split('\n'));
  const isNear = (start: number): boolean =>
    start <= told.last + slackLines && start + wanted.length - 1 >= told.first - slackLines;
  if (places.some(isNear)) {
    return { lines: told, evidenceCheck: 'found' };
  }
  const [only] = places;
  if (places.length === 1 && only !== undefined) {
    return { lines: { first: only, last: only + wanted.length - 1 }, evidenceCheck: 'moved' };
  }
  return isAmongRemoved(wanted, file)
    ? { lines: told, evidenceCheck: 'found' }
    : { lines: told, evidenceCheck: 'missing' };
}

/** The numbers of the lines at which the wanted ones begin, without regard to indentation; the first and the last may be parts of their lines. */
function findLines(wanted: readonly string[], lines: readonly string[]): readonly number[] {
  const last = wanted.length - 1;
  const matches = (line: string | undefined, index: number): boolean => {
    const text = line?.trim() ?? '';
    const part = wanted[index] ?? '';
    return index === 0 || index === last ? text.includes(part) : text === part;
  };
  return lines.flatMap((_, start) =>
    wanted.every((__, index) => matches(lines[start + index], index)) ? [start + 1] : [],
  );
}

/** Removed lines are evidence as well: removing them may be the defect. */
function isAmongRemoved(wanted: readonly string[], { hunks }: ReviewedFile): boolean {
  const removed = hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === '-').map(({ text }) => text));
  return findLines(wanted, removed).length > 0;
}

/** The repair as a patch. Null if its old text does not occur in the file exactly once. */
function repairPatch(
  { path, after }: ReviewedFile,
  { oldText, newText }: NonNullable<RawFinding['repair']>,
): string | null {
  const wanted = oldText.replaceAll('\r\n', '\n');
  const start = after?.indexOf(wanted) ?? -1;
  if (after === null || start === -1 || after.indexOf(wanted, start + 1) !== -1) {
    return null;
  }
  const repaired = after.slice(0, start) + newText.replaceAll('\r\n', '\n') + after.slice(start + wanted.length);
  const { diff } = unifiedDiff({ path, before: after, after: repaired });
  return diff === '' ? null : diff;
}
