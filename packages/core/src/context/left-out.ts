/** Why a file, pattern or directory did not reach Gemini. */
export type LeftOutReason =
  | 'not-found'
  | 'outside-roots'
  | 'not-a-file'
  | 'is-a-directory'
  | 'not-a-directory'
  | 'unreadable'
  | 'name-too-long'
  | 'sensitive'
  | 'binary'
  | 'not-utf8'
  | 'no-such-lines'
  | 'media-not-carried'
  | 'over-media-limit'
  | 'pattern-refused'
  | 'pattern-without-match'
  | 'search-stopped'
  | 'over-file-limit'
  | 'over-byte-limit'
  | 'over-window'
  | 'deadline';

/** One thing that was named or found but not sent. */
export type LeftOut = {
  /** As the caller wrote it, or relative to the working directory where a walk found it. Data from strangers: escape it before showing it. */
  readonly path: string;
  readonly reason: LeftOutReason;
  /** Which list it came from: only what was named by itself makes a call fail when nothing else is left. */
  readonly origin: 'file' | 'glob' | 'directory';
  /** A few words more, ours: an errno code, a size, a broken rule. */
  readonly detail?: string;
};
