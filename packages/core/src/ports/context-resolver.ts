import type { LeftOut } from '../failure/left-out.ts';

/** The files that a caller named, and how much of them may be read. */
export type ContextSelection = {
  /**
   * Paths, absolute or relative to the working directory, read even if an ignore file excludes them. `path:10-40` selects lines of a file, `path:10`
   * one line, `path:10-` the rest; several entries, or ranges separated by commas, select several parts. If a file really has such a name, that file
   * is read. Parts that overlap or touch are merged. A file named whole replaces its parts; parts do not replace a file that a pattern or a directory
   * names.
   */
  readonly files: readonly string[];
  /**
   * Patterns relative to the working directory, `/` as separator, matched against whole paths. `*` stands for any characters of a name, `?` for one,
   * `**` for any number of directories, `{a,b}` for either, also nested; case matters. A wildcard does not match a leading dot. An empty pattern and
   * one with a leading `!` are refused. Implementations may add further syntax.
   */
  readonly globPatterns: readonly string[];
  /**
   * Directories, absolute or relative, read recursively without a depth limit. Directories and patterns skip files that ignore files exclude, without
   * an entry in `leftOut`.
   */
  readonly directories: readonly string[];
  /** Documents and media together. */
  readonly maxFiles: number;
  /** Sum of the sizes of all documents, in bytes. */
  readonly maxBytes: number;
  /** Time by which to return the files read so far, in milliseconds since the epoch. */
  readonly deadlineAtMs: number;
  /** Media types that a file named in `files` may have to become a media part; no media if missing. */
  readonly mediaTypes?: readonly string[];
  /** Sum of the sizes of all media, in bytes; 0 if missing. */
  readonly maxMediaBytes?: number;
};

/** Lines of a file, counted from 1, both ends included. */
export type LineRange = {
  readonly first: number;
  readonly last: number;
};

/** A text file, whole or only the selected lines. */
export type ContextDocument = {
  /** Relative to the working directory with `/` separators, or absolute if the file lies under another root. */
  readonly path: string;
  /** The file's bytes, decoded from UTF-8 without loss: byte order mark and line ends are kept. */
  readonly text: string;
  /** Of `text` in UTF-8. */
  readonly sizeBytes: number;
  /** The lines of the file in `text`; missing if it is the whole file. Ends beyond the file are lowered to its last line. */
  readonly lines?: LineRange;
  /** Which of the caller's lists named it first. */
  readonly origin: 'file' | 'glob' | 'directory';
};

/** An image, a PDF, a recording or a video, whole. */
export type InlineMedia = {
  /** As in `ContextDocument`. */
  readonly path: string;
  /** Detected from the content, not from the name. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
};

export type ContextBundle = {
  /** Files, then globs, then directories, each group sorted by the UTF-16 code units of the path; a file named twice appears at its first position. */
  readonly documents: readonly ContextDocument[];
  /** Sorted like documents; may be missing or empty. Only files named in `files` become media. */
  readonly media?: readonly InlineMedia[];
  /**
   * Everything named or found that is not among the documents or media, with the reason: names as the caller wrote them, once for each way in which
   * `files` names them. The wording of `detail` may change.
   */
  readonly leftOut: readonly LeftOut[];
};

/**
 * Reads the files that a caller named.
 *
 * Implementations must:
 * - Read nothing outside the allowed roots, whatever the names, links and races: such a name is `outside-roots`, even if nothing exists there. A
 *   directory whose name merely begins like a root's is outside.
 * - Match a name exactly, not siblings whose names begin alike. Case matters if it matters in the file system.
 * - Include a document whole or not at all; if one does not fit, leave it out and go on with smaller ones.
 * - Return an entry in `leftOut` for each name that yields nothing, and never throw for it.
 * - Check the `Clock` before reading each file: at the deadline the rest is left out as `deadline`, with one entry for each directory or pattern
 *   whose search was unfinished.
 * - Return the same bundle for the same selection, as long as the files stay the same.
 */
export interface ContextResolver {
  /** The absolute directory from which relative names are resolved. Missing if callers must not know it. */
  readonly workingDirectory?: string;
  /** Rejects with `signal.reason` if aborted, before or during the call, and for no other reason. Leaves no listener on the signal. */
  resolve(selection: ContextSelection, signal: AbortSignal): Promise<ContextBundle>;
}
