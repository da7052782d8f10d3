import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { AllowedRoots } from '../files/allowed-roots.ts';
import { chooseDescriptorProof, closeDescriptor, type DescriptorProof, openVerified } from '../files/open-verified.ts';
import { readWhole, ScratchBuffer } from '../files/read-whole.ts';
import { isSensitivePath } from '../files/sensitive-names.ts';
import { TimeSlices, type TimeSlicesOptions } from '../files/time-slices.ts';
import type { EntryFilter } from '../files/walk/entry-filter.ts';
import { DirectoryWalker, type WalkVisitor } from '../files/walk/walk-directory.ts';

export type CopyLimits = {
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** Larger files are left out. */
  readonly maxFileBytes: number;
};

export const copyLimits: CopyLimits = { maxFiles: 20_000, maxBytes: 134_217_728, maxFileBytes: 8_388_608 };

export type CopyOptions = TimeSlicesOptions & {
  /** A real path. */
  readonly from: string;
  /** Directories below which nothing is copied. */
  readonly privateDirectories: readonly string[];
  /** Made here. */
  readonly to: string;
  readonly limits: CopyLimits;
};

export type CopyResult = { readonly copied: true } | { readonly copied: false; readonly detail: string };

/**
 * Copies what Gemini may read of a directory: text files that no ignore file excludes and whose names do not look like
 * secrets, neither their own nor the one that a link leads to. What the CLI would obey (GEMINI.md, `.gemini`, `.agents`)
 * stays behind, and so do links out of the directory, programs, pictures and very large files.
 *
 * A copy, because in 0.61.0 nothing else keeps secrets from the tools: ignore files count in the CLI's own directory only,
 * no rule reaches through a link, and a search through contents asks neither.
 *
 * Resolves to why it could not be done where the directory is too large or cannot be read; rejects on abort, and when
 * nothing can be written.
 */
export async function copyDirectory(options: CopyOptions, signal: AbortSignal): Promise<CopyResult> {
  const slices = new TimeSlices(options, signal);
  slices.throwIfAborted();
  const { from: workingDirectory, privateDirectories } = options;
  const reach = {
    roots: new AllowedRoots({ workingDirectory, roots: [], privateDirectories }),
    proof: chooseDescriptorProof(),
  };
  const found = await findFiles(options, { ...reach, slices });
  if (typeof found === 'string') {
    return tooLarge(found);
  }
  await mkdir(options.to, { mode: 0o700 });
  const copier = new FileCopier({ ...options, ...reach });
  for (const path of found) {
    if (slices.isUsedUp) {
      await slices.next();
    }
    const obstacle = slices.isPastDeadline ? 'takes too long to copy' : copier.copy(path);
    if (obstacle !== null) {
      return tooLarge(obstacle);
    }
  }
  await markOutside(options.to);
  return { copied: true };
}

type Reach = { readonly roots: AllowedRoots; readonly proof: DescriptorProof };

/** The paths of the files that may be worth a copy, or why there can be none. */
async function findFiles(
  { from, limits }: CopyOptions,
  reach: Reach & { readonly slices: TimeSlices },
): Promise<readonly string[] | string> {
  const paths: string[] = [];
  const visitor: WalkVisitor = {
    entry: ({ kind, absolutePath }) => {
      paths.push(...(kind === 'file' ? [absolutePath] : []));
    },
    refused: () => undefined,
    visitedBefore: () => undefined,
  };
  // Directories and what is left out are entries too.
  const maxEntries = 5 * limits.maxFiles;
  const walker = new DirectoryWalker({ ...reach, visitor, maxEntries, visitsOnce: true });
  const end = await walker.walk({ absolutePath: from, displayPath: '' }, wantContents);
  if (typeof end !== 'string') {
    return 'cannot be read';
  }
  return end !== 'complete' || paths.length > limits.maxFiles ? `holds more than ${limits.maxFiles} files` : paths;
}

function tooLarge(what: string): CopyResult {
  return { copied: false, detail: `${what}; name a smaller one` };
}

/** A repository that the copy happens to lie in is none of its business, and no `.env` further up is. */
async function markOutside(to: string): Promise<void> {
  await writeFile(join(to, '.git'), 'none\n', { mode: 0o600 });
  await mkdir(join(to, '.gemini'), { mode: 0o700 });
  await writeFile(join(to, '.gemini', '.env'), '', { mode: 0o600 });
}

/** What the CLI obeys where it finds it. */
const obeyed: ReadonlySet<string> = new Set(['gemini.md', '.gemini', '.agents']);

const wantContents: EntryFilter = {
  sources: ['.'],
  sourcesOf: (name) => (obeyed.has(name.toLowerCase()) ? [] : ['.']),
  enter: (name) => (obeyed.has(name.toLowerCase()) ? null : wantContents),
};

type FileCopierOptions = CopyOptions & Reach;

class FileCopier {
  readonly #options: FileCopierOptions;
  readonly #scratch = new ScratchBuffer();
  readonly #made = new Set<string>();
  #bytes = 0;

  constructor(options: FileCopierOptions) {
    this.#options = options;
  }

  /** Says why nothing more can be copied; null when it can, whatever became of this one. */
  copy(path: string): string | null {
    if (isSensitivePath(path)) {
      return null;
    }
    const { roots, proof, limits } = this.#options;
    const opened = openVerified({ path, kind: 'file', roots, proof, followsLink: true });
    if (!opened.ok) {
      return null;
    }
    try {
      const { realPath, stats, descriptor } = opened;
      if (isSensitivePath(realPath.replace(/ \(deleted\)$/, '')) || stats.size > limits.maxFileBytes) {
        return null;
      }
      this.#bytes += stats.size;
      if (this.#bytes > limits.maxBytes) {
        return `holds more than ${limits.maxBytes} bytes`;
      }
      const read = readWhole(descriptor, stats.size, this.#scratch);
      if (read.ok) {
        this.#write(path, read.bytes);
      }
      return null;
    } finally {
      closeDescriptor(opened.descriptor);
    }
  }

  #write(path: string, bytes: Buffer): void {
    const target = join(this.#options.to, relative(this.#options.from, path));
    const directory = dirname(target);
    if (!this.#made.has(directory)) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      this.#made.add(directory);
    }
    writeFileSync(target, bytes, { mode: 0o600 });
  }
}
