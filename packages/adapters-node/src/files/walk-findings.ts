import type { LeftOut } from '@gemini-mcp/core';
import type { Refusal } from '../disk/refusal.ts';
import type { WalkEnd, WalkedEntry, WalkVisitor } from '../disk/walk/walk-directory.ts';
import type { Candidate } from './document-reader.ts';
import type { Cause, SkippedFiles } from './skipped-files.ts';

/** Bounds memory when a caller names a whole disk. */
export const maxWalkedEntries = 200_000;

const causeOfKind: Readonly<Record<Exclude<WalkedEntry['kind'], 'file'>, Cause>> = {
  binary: { reason: 'binary' },
  other: { reason: 'not-a-file', detail: 'a pipe, socket or device' },
};

/** Collects the findings of walks. */
export class WalkFindings implements WalkVisitor {
  readonly #origin: LeftOut['origin'];
  readonly #skipped: SkippedFiles;
  readonly #candidates = new Map<string, Candidate>();
  readonly #fruitful = new Set<string>();

  constructor(origin: LeftOut['origin'], skipped: SkippedFiles) {
    this.#origin = origin;
    this.#skipped = skipped;
  }

  entry({ absolutePath, displayPath, kind, sources }: WalkedEntry): void {
    const source = this.#credit(sources);
    if (kind !== 'file') {
      this.#skipped.addFound(displayPath, this.#origin, source, causeOfKind[kind]);
    } else if (!this.#candidates.has(absolutePath)) {
      this.#candidates.set(absolutePath, { absolutePath, displayPath, origin: this.#origin, source });
    }
  }

  refused(displayPath: string, sources: readonly string[], refusal: Refusal): void {
    this.#skipped.addFound(displayPath, this.#origin, this.#credit(sources), refusal);
  }

  visitedBefore(sources: readonly string[]): void {
    this.#credit(sources);
  }

  /** Records one of the caller's words if its walks ended early, or with `fruitless` if they found nothing. */
  conclude(source: string, ends: readonly WalkEnd[], fruitless: Cause): void {
    const early = ends.find((end) => end !== 'complete');
    if (early !== undefined) {
      this.#skipped.addNamed(source, this.#origin, causeOf(early));
    } else if (!this.#fruitful.has(source)) {
      this.#skipped.addNamed(source, this.#origin, fruitless);
    }
  }

  /** The files found, sorted by path. */
  candidates(): readonly Candidate[] {
    return [...this.#candidates.values()].sort(byDisplayPath);
  }

  #credit(sources: readonly string[]): string {
    for (const source of sources) {
      this.#fruitful.add(source);
    }
    return sources[0] ?? '';
  }
}

/** The order of documents in each group. */
export function byDisplayPath(one: Candidate, other: Candidate): number {
  if (one.displayPath === other.displayPath) {
    return 0;
  }
  return one.displayPath < other.displayPath ? -1 : 1;
}

function causeOf(end: Exclude<WalkEnd, 'complete'>): Cause {
  if (end === 'deadline') {
    return { reason: 'deadline' };
  }
  return end === 'too-many-entries'
    ? { reason: 'search-stopped', detail: `after ${maxWalkedEntries} entries; name a smaller directory` }
    : end;
}
