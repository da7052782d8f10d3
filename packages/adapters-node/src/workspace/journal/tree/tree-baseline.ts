import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readlink } from 'node:fs/promises';
import type { RealRoots } from '../../../disk/real-roots.ts';
import { isSettled } from '../../file-version.ts';
import { absent, type FileState } from '../file-state.ts';
import { openParent } from '../open-parent.ts';
import { type FileStamp, isSameStamp, modeOf, modifiedAtOf, stampAt } from '../stat-entry.ts';
import type { ScannedEntry, TreeScan } from './scan-tree.ts';
import type { TreeCopies } from './tree-copies.ts';

/** A file or a link in its former state, with everything needed to restore it. */
type Kept = {
  readonly stamp: FileStamp;
  /** Whether each later change shows in the stamp. */
  readonly isSettled: boolean;
  readonly copy: string | null;
  readonly target: string | null;
};

export type TreeBaselineOptions = {
  readonly roots: RealRoots;
  readonly copies: TreeCopies;
  readonly now: () => number;
  /** Whether the path did not exist before the run: files that the run made get at most half of the room for copies. */
  readonly isMadeByRun: (path: string) => boolean;
};

const copiesAtOnce = 8;

/** The size of a line about a change, without its path. */
const lineBytes = 512;

/** The former state of everything watched, for comparison after a command. */
export class TreeBaseline {
  readonly #options: TreeBaselineOptions;
  readonly #kept = new Map<string, Kept>();
  #scan: TreeScan | null = null;

  constructor(options: TreeBaselineOptions) {
    this.#options = options;
  }

  get scan(): TreeScan | null {
    return this.#scan;
  }

  /** Makes a scan the new former state. Copies only changed files again. Rejects if copies cannot be written. */
  async adopt(scan: TreeScan, signal: AbortSignal): Promise<void> {
    for (const [path, kept] of this.#kept) {
      if (!scan.places.has(path)) {
        await this.#drop(path, kept);
      }
    }
    const changed = [...scan.places].filter(([path, place]) => !this.#isKept(path, place));
    for (let start = 0; start < changed.length; start += copiesAtOnce) {
      signal.throwIfAborted();
      await Promise.all(changed.slice(start, start + copiesAtOnce).map(([path, place]) => this.#keep(path, place)));
    }
    this.#scan = scan;
  }

  /** Whether a place is unchanged, as far as that shows without reading it. */
  isAsBefore(path: string, found: ScannedEntry | undefined): boolean {
    const before = this.#scan?.places.get(path);
    if (before === undefined || found === undefined || before.kind !== found.kind) {
      return before === found;
    }
    if (found.kind === 'directory' || found.kind === 'other') {
      return before.stamp.mode === found.stamp.mode;
    }
    const kept = this.#kept.get(path);
    // A secret has no copy to compare its content with, so its stamp must do.
    const hasStampToTell = kept?.isSettled === true || (found.kind === 'file' && kept?.copy === null);
    return kept !== undefined && hasStampToTell && isSameStamp(kept.stamp, found.stamp);
  }

  /** The former state of a path. Reads the copy of a file. */
  async stateAt(path: string): Promise<FileState> {
    const place = this.#scan?.places.get(path);
    if (place === undefined) {
      return absent;
    }
    const kept = this.#kept.get(path);
    const mode = modeOf(place.stamp);
    switch (place.kind) {
      case 'directory':
      case 'other':
        return { kind: place.kind, mode };
      case 'link':
        return { kind: 'link', target: kept?.target ?? '' };
      case 'file': {
        const hash = kept?.copy == null ? null : await hashOfCopy(kept.copy);
        const { size, nlink } = place.stamp;
        return {
          ...{ kind: 'file', mode, hash, sizeBytes: Number(size) },
          ...{ modifiedAtMs: modifiedAtOf(place.stamp), isLinked: nlink > 1n },
        };
      }
    }
  }

  /** The room in a journal, in bytes, for one change to each place that existed before the run. */
  get journalBytes(): number {
    let bytes = 0;
    for (const path of this.#scan?.places.keys() ?? []) {
      bytes += this.#options.isMadeByRun(path) ? 0 : 2 * Buffer.byteLength(path) + lineBytes;
    }
    return bytes;
  }

  copyOf(path: string): string | null {
    return this.#kept.get(path)?.copy ?? null;
  }

  #isKept(path: string, { kind, stamp }: ScannedEntry): boolean {
    const kept = this.#kept.get(path);
    const isToKeep = kind === 'file' || kind === 'link';
    return !isToKeep || (kept?.isSettled === true && isSameStamp(kept.stamp, stamp));
  }

  async #keep(path: string, { kind, stamp }: ScannedEntry): Promise<void> {
    const { roots, now } = this.#options;
    const old = this.#kept.get(path);
    await (old === undefined ? undefined : this.#drop(path, old));
    const atMs = now();
    const copy = kind === 'file' ? await this.#copyWhole(path, stamp) : null;
    const reached = kind === 'link' ? await openParent(path, roots, (at) => readlink(at)).catch(() => null) : null;
    const target = reached?.reached === true ? reached.value : null;
    this.#kept.set(path, { stamp, isSettled: isSettled(stamp, atMs), copy, target });
  }

  /** Null if the file keeps changing. */
  async #copyWhole(path: string, stamp: FileStamp): Promise<string | null> {
    const { copies, roots, isMadeByRun } = this.#options;
    const copy = await copies.copy(path, Number(stamp.size), isMadeByRun(path) ? 0.5 : 1);
    const after = await openParent(path, roots, stampAt).catch(() => null);
    if (copy === null || (after?.reached === true && isSameStamp(after.value, stamp))) {
      return copy;
    }
    await copies.drop(copy, Number(stamp.size));
    return null;
  }

  async #drop(path: string, { copy, stamp }: Kept): Promise<void> {
    this.#kept.delete(path);
    await (copy === null ? undefined : this.#options.copies.drop(copy, Number(stamp.size)));
  }
}

async function hashOfCopy(copy: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const piece of createReadStream(copy)) {
      hash.update(piece);
    }
    return hash.digest('hex');
  } catch {
    return null;
  }
}
