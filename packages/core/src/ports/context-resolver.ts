import type { LeftOut } from '../context/left-out.ts';

/** What a caller named, and how much of it may be read. */
export type ContextSelection = {
  /**
   * Paths, absolute or relative to the working directory, read even where an ignore file excludes them. `path:10-40` names
   * lines of a file, `path:10` one line, `path:10-` the rest; several entries, or ranges separated by commas, several
   * parts. A file that really bears such a name comes first.
   */
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
  /** Media types of which a file named in `files` becomes a part of its own; none when it is missing. */
  readonly mediaTypes?: readonly string[];
  /** Sum of the sizes of all media; 0 when it is missing. */
  readonly maxMediaBytes?: number;
};

/** Lines of a file, counted from 1, both ends included. */
export type LineRange = {
  readonly first: number;
  readonly last: number;
};

/** One text file, whole, or the lines of it that were named. */
export type ContextDocument = {
  /** Relative to the working directory with `/` separators, or absolute where the file lies under another root. */
  readonly path: string;
  /** The file's bytes decoded from UTF-8 without any loss: byte order mark and line ends are kept. */
  readonly text: string;
  /** Of `text` in UTF-8. */
  readonly sizeBytes: number;
  /** Which lines of the file `text` is; missing when it is all of it. Ends beyond the file are lowered to its last line. */
  readonly lines?: LineRange;
  /** Which of the caller's lists named it first. */
  readonly origin: 'file' | 'glob' | 'directory';
};

/** An image or a PDF, whole. */
export type InlineMedia = {
  /** As in `ContextDocument`. */
  readonly path: string;
  /** By its content, not by its name. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
};

export type ContextBundle = {
  /** Files, then globs, then directories, each group sorted by path; a file named twice stands where it came first. */
  readonly documents: readonly ContextDocument[];
  /** Sorted by path. None when it is missing. */
  readonly media?: readonly InlineMedia[];
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
