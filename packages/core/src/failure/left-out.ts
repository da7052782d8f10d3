/** The codes are for programs that read our answers, the texts for people. */
export const leftOutTexts = {
  'not-found': 'not found',
  'outside-roots': 'PATH_OUTSIDE_ROOT: outside the allowed directories',
  'not-a-file': 'not a regular file',
  'is-a-directory': 'a directory; name it in `directories` instead',
  'not-a-directory': 'not a directory',
  unreadable: 'could not be read',
  'name-too-long': 'name too long',
  sensitive: 'sensitive: looks like a secret',
  binary: 'binary',
  'not-utf8': 'not UTF-8 text',
  'no-such-lines': 'has no such lines',
  'media-not-carried': 'the runner of this call cannot pass media of this type on to Gemini; name its text instead',
  'over-media-limit': 'over the limit of bytes for media',
  'pattern-refused': 'pattern refused',
  'pattern-without-match': 'pattern matched no file',
  'search-stopped': 'the search was stopped',
  'over-file-limit': 'over the limit of files',
  'over-byte-limit': 'over the limit of bytes',
  'over-window': 'does not fit into what Gemini can take in one call',
  deadline: 'time ran out before it was read',
} as const;

/** Why a file, pattern or directory did not reach Gemini. */
export type LeftOutReason = keyof typeof leftOutTexts;

/** A file, pattern or directory that was named or found but not sent. */
export type LeftOut = {
  /** As the caller wrote it, or relative to the working directory if a walk found it. Untrusted: escape it before showing it. */
  readonly path: string;
  readonly reason: LeftOutReason;
  /** Which list it came from. Only entries that the caller named fail a call that sends no other file. */
  readonly origin: 'file' | 'glob' | 'directory';
  /** A short detail of our own: an errno code, a size, a broken rule. */
  readonly detail?: string;
};
