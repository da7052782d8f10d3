import { fstatSync, lstatSync } from 'node:fs';
import type { Clock } from '@gemini-mcp/core';
import { AllowedRoots } from '../files/allowed-roots.ts';
import {
  chooseDescriptorProof,
  closeDescriptor,
  type DescriptorProof,
  type Opened,
  openVerified,
} from '../files/open-verified.ts';
import { readWhole, ScratchBuffer } from '../files/read-whole.ts';
import { isSensitivePath } from '../files/sensitive-names.ts';
import type { TimeSlices } from '../files/time-slices.ts';
import type { EntryFilter } from '../files/walk/entry-filter.ts';
import { DirectoryWalker, type WalkedEntry, type WalkVisitor } from '../files/walk/walk-directory.ts';
import { type FileVersion, isSameVersion, isSettled, versionOf } from './directory-copy-version.ts';

/** A file as it was when it was read. */
export type SourceState = {
  /** Of the file itself where a link was followed. */
  readonly realPath: string;
  readonly version: FileVersion;
  /** Whether any later change shows in the version. */
  readonly isSettled: boolean;
};

export type SourceFile = Pick<WalkedEntry, 'absolutePath' | 'displayPath'>;

export type SourceReading =
  | { readonly kind: 'left-out' }
  | { readonly kind: 'unchanged'; readonly sizeBytes: number }
  /** The bytes are valid until the next reading; null where the file changed while it was read. */
  | { readonly kind: 'read'; readonly sizeBytes: number; readonly state: SourceState; readonly bytes: Buffer | null };

export type DirectoryCopySourceOptions = {
  readonly clock: Clock;
  readonly from: string;
  readonly privateDirectories: readonly string[];
  readonly maxFiles: number;
  /** Larger files are left out. */
  readonly maxFileBytes: number;
};

/** A directory of which a copy is made, and what of it may be read, as it is when this is created. */
export class DirectoryCopySource {
  readonly #options: DirectoryCopySourceOptions;
  readonly #roots: AllowedRoots;
  readonly #proof: DescriptorProof = chooseDescriptorProof();
  readonly #scratch = new ScratchBuffer();

  constructor(options: DirectoryCopySourceOptions) {
    const { from: workingDirectory, privateDirectories } = options;
    this.#options = options;
    this.#roots = new AllowedRoots({ workingDirectory, roots: [], privateDirectories });
  }

  /** The files that may be worth a copy, or why there can be none. Rejects on abort. */
  async find(slices: TimeSlices): Promise<readonly SourceFile[] | string> {
    const { from, maxFiles } = this.#options;
    const files: SourceFile[] = [];
    const visitor: WalkVisitor = {
      entry: ({ kind, absolutePath, displayPath }) => {
        if (kind === 'file') {
          files.push({ absolutePath, displayPath });
        }
      },
      refused: () => undefined,
      visitedBefore: () => undefined,
    };
    const reach = { roots: this.#roots, proof: this.#proof };
    // Directories and what is left out are entries too.
    const walker = new DirectoryWalker({ ...reach, slices, visitor, maxEntries: 5 * maxFiles, visitsOnce: true });
    // A link that stands in its place now leads to what nobody named.
    const isInPlace = this.#roots.contains(from);
    const end = isInPlace ? await walker.walk({ absolutePath: from, displayPath: '' }, wantContents) : null;
    if (typeof end !== 'string') {
      return 'cannot be read';
    }
    return end !== 'complete' || files.length > maxFiles ? `holds more than ${maxFiles} files` : files;
  }

  /** Reads a file that was found, unless it is what `known` says. */
  read({ absolutePath }: SourceFile, known: SourceState | undefined): SourceReading {
    const settled = known?.isSettled === true ? known : null;
    if (settled !== null && this.#isSameInPlace(absolutePath, settled)) {
      return { kind: 'unchanged', sizeBytes: Number(settled.version.size) };
    }
    if (isSensitivePath(absolutePath)) {
      return leftOut;
    }
    const opened = openVerified({
      path: absolutePath,
      kind: 'file',
      roots: this.#roots,
      proof: this.#proof,
      followsLink: true,
    });
    if (!opened.ok) {
      return leftOut;
    }
    try {
      // Behind a link there may be a secret; any other path was asked about above.
      const isSecret = opened.realPath !== absolutePath && isSensitivePath(withoutMark(opened.realPath));
      return isSecret ? leftOut : this.#readOpened(opened, settled);
    } finally {
      closeDescriptor(opened.descriptor);
    }
  }

  /**
   * Needs no descriptor: nothing is read, the walk has verified the directory, and what has all of a known file's version
   * is that file, whose contents were verified when they were read. A link is never the file that it leads to.
   */
  #isSameInPlace(path: string, { realPath, version }: SourceState): boolean {
    if (realPath !== path || !this.#roots.contains(path)) {
      return false;
    }
    try {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      return stats !== undefined && isSameVersion(stats, version);
    } catch {
      // Opening it says what it means.
      return false;
    }
  }

  #readOpened({ descriptor, realPath, stats }: Opened, settled: SourceState | null): SourceReading {
    const sizeBytes = stats.size;
    if (sizeBytes > this.#options.maxFileBytes) {
      return leftOut;
    }
    const readAtMs = this.#options.clock.now();
    // Before reading: a change while it is read shows at the next look.
    const version = versionOf(fstatSync(descriptor, { bigint: true }));
    if (settled?.realPath === realPath && isSameVersion(settled.version, version)) {
      return { kind: 'unchanged', sizeBytes };
    }
    const state = { realPath, version, isSettled: isSettled(version, readAtMs) };
    const whole = readWhole(descriptor, sizeBytes, this.#scratch);
    return { kind: 'read', sizeBytes, state, bytes: whole.ok ? whole.bytes : null };
  }
}

/** Without what the kernel puts behind the path of a file that was deleted meanwhile. */
function withoutMark(realPath: string): string {
  return realPath.replace(/ \(deleted\)$/, '');
}

const leftOut: SourceReading = { kind: 'left-out' };

/** What the CLI obeys where it finds it. */
const obeyed: ReadonlySet<string> = new Set(['gemini.md', '.gemini', '.agents']);

const wantContents: EntryFilter = {
  sources: ['.'],
  sourcesOf: (name) => (obeyed.has(name.toLowerCase()) ? [] : ['.']),
  enter: (name) => (obeyed.has(name.toLowerCase()) ? null : wantContents),
};
