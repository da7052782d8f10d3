import { fstatSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@gemini-mcp/core';
import { HeldDirectory } from '../../files/held-directory.ts';
import {
  chooseDescriptorProof,
  closeDescriptor,
  type DescriptorProof,
  type Opened,
  type OpenRequest,
  openVerified,
} from '../../files/open-verified.ts';
import { readWhole, ScratchBuffer } from '../../files/read-whole.ts';
import { RealRoots } from '../../files/real-roots.ts';
import { isSensitivePath } from '../../files/sensitive-names.ts';
import type { TimeSlices } from '../../files/time-slices.ts';
import type { EntryFilter } from '../../files/walk/entry-filter.ts';
import { DirectoryWalker, type WalkedEntry, type WalkVisitor } from '../../files/walk/walk-directory.ts';
import { type FileVersion, isSameVersion, isSettled, versionOf } from './directory-copy-version.ts';

const proof: DescriptorProof = chooseDescriptorProof();

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
  /** A path without links. */
  readonly from: string;
  /** Real paths: what is copied lies below `from` and below one of these. */
  readonly roots: readonly string[];
  readonly privateDirectories: readonly string[];
  readonly maxFiles: number;
  /** Larger files are left out. */
  readonly maxFileBytes: number;
};

/** A directory of which a copy is made, and what of it may be read. It is opened once, and all of it is reached from there. */
export class DirectoryCopySource {
  readonly #options: DirectoryCopySourceOptions;
  readonly #base: HeldDirectory;
  readonly #roots: RealRoots;
  readonly #scratch = new ScratchBuffer();
  #wasMoved = false;

  private constructor(options: DirectoryCopySourceOptions, base: HeldDirectory, roots: RealRoots) {
    this.#options = options;
    this.#base = base;
    this.#roots = roots;
  }

  /** Null where there is no directory at the path, or a link on the way to it, or no root around it. The caller closes it. */
  static open(options: DirectoryCopySourceOptions): DirectoryCopySource | null {
    const { from, roots: directories, privateDirectories } = options;
    const roots = new RealRoots({ directories, privateDirectories }).narrowTo([from]);
    const base = HeldDirectory.open({ path: from, roots, proof });
    return base instanceof HeldDirectory ? new DirectoryCopySource(options, base, roots) : null;
  }

  /** Whether the directory was where it was opened, all the time. Otherwise some of it may have been taken for outside. */
  get wasInPlace(): boolean {
    return this.#base.isInPlace && !this.#wasMoved;
  }

  close(): void {
    this.#base.release();
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
      refused: (displayPath, _, { reason }) => {
        const path = join(from, displayPath);
        this.#wasMoved ||= reason === 'outside-roots' && this.#roots.contains(path);
      },
      visitedBefore: () => undefined,
    };
    const reach = { roots: this.#roots, proof, base: this.#base };
    // Directories and what is left out are entries too.
    const walker = new DirectoryWalker({ ...reach, slices, visitor, maxEntries: 5 * maxFiles, visitsOnce: true });
    const end = await walker.walk({ absolutePath: from, displayPath: '' }, wantContents);
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
      ...this.#openRequest(absolutePath),
      followsLink: true,
    });
    if (!opened.ok) {
      this.#wasMoved ||= opened.reason === 'outside-roots' && this.#isMoved(absolutePath);
      return leftOut;
    }
    try {
      // A link may lead to a secret; any other path was asked about above.
      const isSecret = opened.realPath !== absolutePath && isSensitivePath(withoutMark(opened.realPath));
      return isSecret ? leftOut : this.#readOpened(opened, settled);
    } finally {
      closeDescriptor(opened.descriptor);
    }
  }

  #openRequest(path: string): Omit<OpenRequest, 'followsLink'> {
    return { path, kind: 'file', roots: this.#roots, proof, base: this.#base };
  }

  /** Whether what lies outside is neither a link that leads there nor of the kind that is never read. */
  #isMoved(path: string): boolean {
    const opened = openVerified({ ...this.#openRequest(path), followsLink: false });
    if (opened.ok) {
      closeDescriptor(opened.descriptor);
      return true;
    }
    return opened.reason === 'outside-roots' && this.#roots.contains(path);
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
      const stats = lstatSync(this.#base.pathOf(path), { bigint: true, throwIfNoEntry: false });
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

/** Without what the kernel puts after the path of a file that was deleted meanwhile. */
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
