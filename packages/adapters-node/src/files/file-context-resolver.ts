import type { Clock, ContextBundle, ContextResolver, ContextSelection } from '@gemini-mcp/core';
import { AllowedRoots } from './allowed-roots.ts';
import { BundleDraft } from './bundle-draft.ts';
import { DocumentReader } from './document-reader.ts';
import { LeftOutLedger } from './left-out-ledger.ts';
import { locateFiles } from './locate-files.ts';
import { chooseDescriptorProof } from './open-verified.ts';
import type { PinnedPaths } from './pin-paths.ts';
import { TimeSlices } from './time-slices.ts';
import { findByGlobs } from './walk/find-by-globs.ts';
import { findInDirectories } from './walk/find-in-directories.ts';
import { WalkTime } from './walk/walk-time.ts';

export type FileContextResolverOptions = {
  /** Where relative names begin; a root itself. */
  readonly workingDirectory: string;
  /** Further directories below which files may be read. */
  readonly roots: readonly string[];
  /** As in `AllowedRootsOptions`; where they lie when this is created when it is missing. */
  readonly pinned?: PinnedPaths;
  /** Directories below which nothing is read, whatever the roots are: where a server keeps its state. None when it is missing. */
  readonly privateDirectories?: readonly string[];
  /** Whether files that look like secrets may be read when a caller names them. Walks and patterns never send them. */
  readonly allowSensitive: boolean;
  readonly clock: Clock;
};

/**
 * Reads context from the file system.
 *
 * Beyond what the port asks: nothing is sent whose real path, asked of the open descriptor, lies outside the roots or in
 * /proc, /sys or /dev; `.git` is never walked; walks and patterns pass over what .gitignore, .geminiignore and a built-in
 * list exclude, without a word; the event loop turns every few milliseconds. Ignore files are read as rules up to the top
 * of the repository, even where that lies above the roots. Lines are looked for in files of up to 64 MiB, and 256 MiB of files in one call;
 * a call may name a thousand ranges of them. Lines that are named, and their file found by a walk as well, are sent twice: the walk's
 * document is whole.
 *
 * Not promised: that a hard link or a mount inside a root leads to nothing outside; that a secret under an ordinary name
 * is known for one.
 */
export class FileContextResolver implements ContextResolver {
  readonly workingDirectory: string;
  readonly #options: FileContextResolverOptions;
  readonly #names: AllowedRoots;

  constructor(options: FileContextResolverOptions) {
    this.workingDirectory = options.workingDirectory;
    this.#options = options;
    this.#names = new AllowedRoots(options);
  }

  async resolve(selection: ContextSelection, signal: AbortSignal): Promise<ContextBundle> {
    signal.throwIfAborted();
    const { clock, allowSensitive } = this.#options;
    const slices = new TimeSlices({ clock, deadlineAtMs: selection.deadlineAtMs }, signal);
    const ledger = new LeftOutLedger();
    const find = {
      names: this.#names,
      roots: this.#names.real(),
      proof: chooseDescriptorProof(),
      slices,
      time: new WalkTime(slices),
      ledger,
    };
    const draft = new BundleDraft(selection);
    const reader = new DocumentReader({ ...find, draft, allowSensitive });

    await reader.readAll(await locateFiles(selection.files, find));
    await reader.readAll(await findByGlobs(selection.globPatterns, find));
    await reader.readAll(await findInDirectories(selection.directories, find));
    signal.throwIfAborted();
    return draft.finish(ledger.entries());
  }
}
