import type { LeftOut } from '../failure/left-out.ts';

/** What a caller named, and how much of it may be read. */
export type ContextSelection = {
  /**
   * Paths, absolute or relative to the working directory, read even where an ignore file excludes them. `path:10-40` names
   * lines of a file, `path:10` one line, `path:10-` the rest; several entries, or ranges separated by commas, several
   * parts. A file that really bears such a name comes first. Parts that overlap or touch are one. A file that is named whole
   * takes the place of its lines; lines do not take the place of a file that a pattern or a directory names.
   */
  readonly files: readonly string[];
  /**
   * Patterns relative to the working directory, `/` as separator, for whole paths. `*` stands for any characters of a name, `?` for
   * one, `**` for any number of directories, `{a,b}` for either, also inside other braces; case matters. A wildcard does not
   * match a leading dot. An empty pattern and one with a leading `!` are refused. Further signs are the implementer's.
   */
  readonly globPatterns: readonly string[];
  /**
   * Directories, absolute or relative, read recursively without a limit of depth. They and patterns pass over what ignore files
   * exclude, where the place has such files, without an entry in `leftOut`.
   */
  readonly directories: readonly string[];
  /** Documents and media together. */
  readonly maxFiles: number;
  /** Sum of the sizes of all documents in bytes. */
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

/** An image, a PDF, a recording or a video, whole. */
export type InlineMedia = {
  /** As in `ContextDocument`. */
  readonly path: string;
  /** By its content, not by its name. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
};

export type ContextBundle = {
  /**
   * Files, then globs, then directories, each group sorted by the UTF-16 code units of the path; a file named twice is where
   * it came first.
   */
  readonly documents: readonly ContextDocument[];
  /** Sorted as documents are. None when it is missing or empty. Only a file named in `files` becomes one. */
  readonly media?: readonly InlineMedia[];
  /**
   * Everything that was named or found and is not among the documents or media, with the reason: what was named as the caller wrote
   * it, and once for each way in which `files` names it. The words of `detail` are not promised.
   */
  readonly leftOut: readonly LeftOut[];
};

/**
 * Turns names into text.
 *
 * An implementer owes:
 * - No read outside its allowed roots, whatever the names, links and races: such a name is `outside-roots`, also where nothing is
 *   there. A directory whose name begins like a root's is outside.
 * - A name stands for itself, not for siblings whose names begin alike. Case matters where the place of the files tells case apart.
 * - A document whole or not at all; a document that does not fit is left out and smaller later ones still go in.
 * - An entry in `leftOut` for each name that yields nothing, never an exception for it.
 * - A look at its `Clock` before each file that it reads: at the deadline the rest is left out as `deadline`, and what a walk or a
 *   pattern had not found yet is an entry for the directory or the pattern.
 * - The same bundle for the same selection, as long as the files stay the same.
 */
export interface ContextResolver {
  /** The absolute directory from which relative names are resolved. Missing where callers are not to know it. */
  readonly workingDirectory?: string;
  /** Rejects with `signal.reason` when aborted, before or on the way, and for nothing else. Leaves no listener on the signal. */
  resolve(selection: ContextSelection, signal: AbortSignal): Promise<ContextBundle>;
}
