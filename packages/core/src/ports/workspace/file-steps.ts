import type { ProposedChange } from './step-result.ts';

/** Consent to one proposed change: it holds for that path, as long as the content is the one shown. */
export type ChangeConsent = Pick<ProposedChange, 'path' | 'beforeHash'>;

export type ViewFileRequest = {
  readonly path: string;
  /** Lines from 1; the whole file if both are missing. */
  readonly firstLine?: number;
  readonly lastLine?: number;
};

export type ViewedFile = {
  /** As in `ProposedChange`. */
  readonly path: string;
  /** The requested lines, unchanged; cut to 39,000 characters (of `escapeControls`) at a line end, or inside a longer first line. */
  readonly text: string;
  readonly firstLine: number;
  /** The last line in `text`; 0 for an empty file. */
  readonly lastLine: number;
  readonly totalLines: number;
  /** SHA-256 of the whole content, in hex. */
  readonly hash: string;
};

export type ListFilesRequest = {
  readonly path: string;
  /** A pattern relative to `path`, in the syntax of `ContextSelection.globPatterns`; null lists the directory itself. */
  readonly pattern: string | null;
};

export type ListedFile = {
  /** As in `ProposedChange`. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** Size of a file; 0 for other kinds. */
  readonly sizeBytes: number;
};

export type FileListing = {
  /** Sorted by the UTF-16 code units of their paths; at most 2,000. */
  readonly files: readonly ListedFile[];
  /** Whether more files exist than are listed, or the search ran out of time. */
  readonly isCut: boolean;
};

export type SearchFilesRequest = {
  /** A directory or a file. */
  readonly path: string;
  /** The text to search for. */
  readonly text: string;
  /** Whether `text` is a regular expression (ECMAScript, flag `u`), matched one line at a time. */
  readonly isPattern: boolean;
  readonly ignoresCase: boolean;
  /** Searches only files whose path, relative to `path`, matches this pattern; null for all files. */
  readonly filePattern: string | null;
};

export type FoundLine = {
  /** As in `ProposedChange`. */
  readonly path: string;
  readonly line: number;
  /** The line, cut to 400 characters around the match. */
  readonly text: string;
};

export type FoundLines = {
  /** By path, then line; at most 500. */
  readonly lines: readonly FoundLine[];
  /** Whether more lines exist than are listed, or the search ran out of time. */
  readonly isCut: boolean;
  /** Number of files searched, up to the cut. */
  readonly files: number;
  /** Number of files skipped: too large, binary, unreadable or secret. Files that only their content shows to be binary may not be counted. */
  readonly passedOver: number;
};

export type PutFileRequest = {
  readonly path: string;
  /** The whole content, written as UTF-8, with line ends as given. */
  readonly content: string;
  readonly consent?: ChangeConsent;
};

export type ModifyFileRequest = {
  readonly path: string;
  /** Applied in order, each to the result of the one before, all or none. At least one. */
  readonly replacements: readonly [Replacement, ...Replacement[]];
  readonly consent?: ChangeConsent;
};

/** A file that was changed. */
export type ChangedFile = FileChange & {
  /** SHA-256 of the new content, in hex. */
  readonly hash: string;
  /** Of the new content. */
  readonly sizeBytes: number;
  /** Sentences for a reader, such as that white space was not compared; usually empty. */
  readonly notes: readonly string[];
};

/** How a path differs from its state before the run. */
export type FileChange = {
  /** As in `ProposedChange`. */
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted';
  /** Unified, with three lines around each change; a sentence instead if the content is not text. */
  readonly diff: string;
  readonly addedLines: number;
  readonly removedLines: number;
};

/** A piece of text to replace in a file. */
export type Replacement = {
  /** The text to replace, exactly; never empty. */
  readonly oldText: string;
  /** The new text, taken literally. */
  readonly newText: string;
  /** Whether every occurrence is replaced; otherwise there must be exactly one. */
  readonly all: boolean;
};
