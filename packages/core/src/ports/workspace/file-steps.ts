import type { ProposedChange } from './step-result.ts';

/** Consent to one proposed change: it holds for that path, and as long as the content is the one that was shown. */
export type ChangeConsent = Pick<ProposedChange, 'path' | 'beforeHash'>;

export type ViewFileRequest = {
  readonly path: string;
  /** Lines from 1; the whole file when both are missing. */
  readonly firstLine?: number;
  readonly lastLine?: number;
};

export type ViewedFile = {
  /** As in `ProposedChange`. */
  readonly path: string;
  /**
   * The lines that were asked for, as they are in the file; cut to 39,000 characters (of `escapeControls`) at a line's end, or inside a first line
   * that is longer.
   */
  readonly text: string;
  readonly firstLine: number;
  /** The last line that `text` holds; 0 for an empty file. */
  readonly lastLine: number;
  readonly totalLines: number;
  /** SHA-256 of the whole content, in hex. */
  readonly hash: string;
};

export type ListFilesRequest = {
  readonly path: string;
  /** A pattern relative to `path`, with the signs of `ContextSelection.globPatterns`; null for the entries of the directory itself. */
  readonly pattern: string | null;
};

export type ListedFile = {
  /** As in `ProposedChange`. */
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** Of a file; 0 for others. */
  readonly sizeBytes: number;
};

export type FileListing = {
  /** By the UTF-16 code units of their paths; 2,000 at most. */
  readonly files: readonly ListedFile[];
  /** Whether there are more than are listed, or the time for looking was over. */
  readonly isCut: boolean;
};

export type SearchFilesRequest = {
  /** A directory or a file. */
  readonly path: string;
  /** What is looked for. */
  readonly text: string;
  /** Whether `text` is a regular expression (ECMAScript, flag `u`), matched against one line at a time. */
  readonly isPattern: boolean;
  readonly ignoresCase: boolean;
  /** Only files whose path, relative to `path`, matches this pattern; null for all. */
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
  /** By path, then line; 500 at most. */
  readonly lines: readonly FoundLine[];
  /** Whether there are more than are listed, or the time for looking was over. */
  readonly isCut: boolean;
  /** How many files were looked through, up to where it was cut. */
  readonly files: number;
  /** Files that were passed over: too large, binary, unreadable or secret. One that only its content shows to be binary may be missing here. */
  readonly passedOver: number;
};

export type PutFileRequest = {
  readonly path: string;
  /** The whole content. It is written as UTF-8, with line ends as given. */
  readonly content: string;
  readonly consent?: ChangeConsent;
};

export type ModifyFileRequest = {
  readonly path: string;
  /** Made in order, each on what the one before it left: all of them or none. At least one. */
  readonly replacements: readonly [Replacement, ...Replacement[]];
  readonly consent?: ChangeConsent;
};

/** A file that was changed. */
export type ChangedFile = FileChange & {
  /** Of the new content, as in `ViewedFile`. */
  readonly hash: string;
  /** Of the new content. */
  readonly sizeBytes: number;
  /** What a reader should know, such as that white space was not compared: sentences; none mostly. */
  readonly notes: readonly string[];
};

/** How a path differs from what it was before the run. */
export type FileChange = {
  /** As in `ProposedChange`. */
  readonly path: string;
  readonly kind: 'created' | 'modified' | 'deleted';
  /** Unified, with three lines around each change; a sentence in its place for content that is no text. */
  readonly diff: string;
  readonly addedLines: number;
  readonly removedLines: number;
};

/** A piece of text that takes the place of another in a file. */
export type Replacement = {
  /** What is there, exactly; never empty. */
  readonly oldText: string;
  /** What comes in its place, taken literally. */
  readonly newText: string;
  /** Whether every occurrence is replaced; otherwise there has to be exactly one. */
  readonly all: boolean;
};
