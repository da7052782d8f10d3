import type { LinesRequest } from '@gemini-mcp/core';
import { type AskedLines, parseLineRange } from '@gemini-mcp/core';
import type { AllowedRoots, NamedPlace } from './allowed-roots.ts';
import type { Candidate } from './document-reader.ts';
import type { LeftOutLedger } from './left-out-ledger.ts';
import { closeDescriptor, type DescriptorProof, openVerified } from './open-verified.ts';
import type { RealRoots } from './real-roots.ts';
import type { TimeSlices } from './time-slices.ts';
import { byDisplayPath } from './walk/walk-findings.ts';

export type LocateOptions = {
  readonly names: AllowedRoots;
  readonly roots: RealRoots;
  readonly proof: DescriptorProof;
  readonly slices: TimeSlices;
  readonly ledger: LeftOutLedger;
};

/** Finding the lines of one file takes time that grows with the square of the ranges. */
const maxRangesPerCall = 1_000;
const tooMany: AskedLines = { ok: false, problem: `more than ${maxRangesPerCall} ranges in one call` };

/**
 * Finds where the names of files lead, sorted by path, a file's lines after the file itself. A name that ends in lines is
 * tried whole before its end is taken for lines. Rejects on abort.
 */
export async function locateFiles(sources: readonly string[], options: LocateOptions): Promise<readonly Candidate[]> {
  const { names, slices, ledger } = options;
  const whole: Candidate[] = [];
  const parts: NamedPart[] = [];
  for (const source of new Set(sources)) {
    if (slices.isUsedUp) {
      await slices.next();
    }
    const exact = names.locate(source);
    const part = locateLines(source, exact, options);
    if (part !== null) {
      parts.push(part);
    } else if (exact === null) {
      ledger.addNamed(source, 'file', { reason: 'outside-roots' });
    } else {
      whole.push({ ...exact, origin: 'file', source });
    }
  }
  return [...whole, ...groupByFile(parts)].sort(byDisplayPath);
}

type NamedPart = { readonly place: NamedPlace; readonly request: LinesRequest };

/** Null for a name that is to be taken whole. */
function locateLines(source: string, exact: NamedPlace | null, options: LocateOptions): NamedPart | null {
  const named = parseLineRange(source);
  const place = named === null ? null : options.names.locate(named.path);
  if (named === null || place === null || (exact !== null && mayExist(exact, options))) {
    return null;
  }
  return { place, request: { source, asked: named.asked } };
}

/** Opened rather than looked up: nothing is learnt about what lies outside the roots. */
function mayExist({ absolutePath }: NamedPlace, { roots, proof, slices }: LocateOptions): boolean {
  if (slices.isPastDeadline) {
    return true;
  }
  const opened = openVerified({ path: absolutePath, kind: 'file', roots, proof, followsLink: true });
  if (opened.ok) {
    closeDescriptor(opened.descriptor);
    return true;
  }
  // With its lines a name may be longer than any file's.
  return opened.reason !== 'not-found' && opened.reason !== 'name-too-long';
}

function groupByFile(parts: readonly NamedPart[]): readonly Candidate[] {
  const groups = new Map<string, Candidate & { readonly lines: LinesRequest[] }>();
  let remaining = maxRangesPerCall;
  for (const { place, request } of parts) {
    const { source, asked } = request;
    const count = asked.ok ? asked.ranges.length : 0;
    const group = groups.get(place.absolutePath) ?? { ...place, origin: 'file', source, lines: [] };
    group.lines.push(count > remaining ? { source, asked: tooMany } : request);
    groups.set(place.absolutePath, group);
    remaining -= Math.min(count, remaining);
  }
  return [...groups.values()];
}
