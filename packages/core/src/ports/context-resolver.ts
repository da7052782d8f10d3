import type { LeftOut } from '../context/left-out.ts';

/** What a caller named, and how much of it may be read. */
export type ContextSelection = {
  /** Paths, absolute or relative to the working directory. Read even where an ignore file excludes them. */
  readonly files: readonly string[];
  /** Patterns relative to the working directory, `/` as separator. */
  readonly globPatterns: readonly string[];
  /** Directories, read recursively without depth limit, honouring ignore files. */
  readonly directories: readonly string[];
  readonly maxFiles: number;
  /** Sum of the sizes of all documents. */
  readonly maxBytes: number;
  /** Time by which to return what there is, in milliseconds since the epoch. */
  readonly deadlineAtMs: number;
};

/** One text file, whole. */
export type ContextDocument = {
  /** Relative to the working directory with `/` separators, or absolute where the file lies under another root. */
  readonly path: string;
  /** The file's bytes decoded from UTF-8 without any loss: byte order mark and line ends are kept. */
  readonly text: string;
  readonly sizeBytes: number;
  /** Which of the caller's lists named it first. */
  readonly origin: 'file' | 'glob' | 'directory';
};

export type ContextBundle = {
  /** Files, then globs, then directories, each group sorted by path; a file named twice stands where it came first. */
  readonly documents: readonly ContextDocument[];
  /** Everything that was named or found and is not among the documents, with the reason. */
  readonly leftOut: readonly LeftOut[];
};

/**
 * Turns names into text.
 *
 * An implementer owes: no read outside its allowed roots, whatever the names, links and races; a document whole or not at
 * all; an entry in `leftOut` for each name that yields nothing, never an exception for it; documents whose sizes sum to at
 * most `maxBytes`, at most `maxFiles` of them. A document that does not fit is left out and smaller later ones still
 * go in. At the deadline the rest is left out as `deadline`.
 */
export interface ContextResolver {
  /** Rejects with `signal.reason` when aborted, and for nothing else. */
  resolve(selection: ContextSelection, signal: AbortSignal): Promise<ContextBundle>;
}
