/** Which change to read. Revisions are those of Git, given by a caller: an implementation must not take one for an option. */
export type ChangeSelection =
  /** Everything that differs from the last commit, staged or not, with new files that no ignore file excludes. */
  | { readonly type: 'working' }
  | { readonly type: 'staged' }
  /** The commits of the current branch since it left the default branch. */
  | { readonly type: 'branch' }
  /** What one commit changed in its first parent. */
  | { readonly type: 'commit'; readonly revision: string }
  /** From one commit to another, or, with `fromMergeBase`, from where their histories parted. */
  | { readonly type: 'range'; readonly from: string; readonly to: string; readonly fromMergeBase: boolean }
  /** A unified diff that the caller brings: it may be applied in the directory already, or fit there. */
  | { readonly type: 'patch'; readonly text: string };

export type ChangeRequest = {
  readonly selection: ChangeSelection;
  /** Absolute; the change is that of the repository around it. */
  readonly directory: string;
  /** Absolute directories: no file outside them is read. */
  readonly roots: readonly string[];
  /** Time by which everything must be read, in milliseconds since the epoch. */
  readonly deadlineAtMs: number;
};

/** Why a changed file is not among the files of a change. */
export type UnreadReason =
  | 'sensitive'
  | 'outside-roots'
  | 'binary'
  | 'not-utf8'
  | 'too-large'
  | 'submodule'
  | 'unmerged'
  | 'no-lines'
  | 'unreadable'
  | 'over-limit';

export type UnreadFile = { readonly path: string; readonly reason: UnreadReason };

export type FileDiff = {
  /** Relative to the top of the repository, with `/` separators; a deleted file's old path. Untrusted. */
  readonly path: string;
  /** The path before a renaming; null if it is the same. */
  readonly previousPath: string | null;
  readonly status: 'added' | 'modified' | 'deleted';
  /** Its part of a unified diff, with header. */
  readonly patch: string;
  /** The whole file after the change; null if it is deleted, a link, or unknown. */
  readonly text: string | null;
};

/** Where to look for text: an exact text, in files whose names end in one of the endings, such as `.ts`. */
export type MentionSearch = { readonly texts: readonly string[]; readonly endings: readonly string[] };

/** A change that was read, and the tree around it. Must be closed. */
export type OpenedChange = {
  /** The two sides on one line, such as `working tree against 1a2b3c4`. */
  readonly title: string;
  /** Sorted by path. */
  readonly files: readonly FileDiff[];
  readonly unread: readonly UnreadFile[];
  /** Paths of all files after the change, sorted. */
  listPaths(signal: AbortSignal): Promise<readonly string[]>;
  /** Texts of files after the change, by path. Files that are missing, secret, no text or over 200,000 bytes have no entry. */
  readTexts(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** Paths of files that contain one of the texts, sorted, at most 200; null if the search failed or took more than a second. */
  findMentions(search: MentionSearch, signal: AbortSignal): Promise<readonly string[] | null>;
  /** Removes what the reading left. Never rejects. */
  close(): Promise<void>;
};

export type ChangeRead =
  | { readonly ok: true; readonly change: OpenedChange }
  /** What happened, why and what to do, in sentences of our own for a user. */
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a change of a repository.
 *
 * Implementations must:
 * - Run nothing that the repository brings: no hook, filter, pager, external diff, text conversion, monitor or remote helper.
 * - Read no file outside the roots, through no link, and no file that looks like a secret: such a file is `unread`.
 * - List each changed file once, in `files` or in `unread`.
 * - Change nothing in the repository, and leave nothing after `close`.
 */
export interface ChangeReader {
  /** Resolves to the change, or to why it cannot be read. Rejects with `signal.reason` if aborted, and for no other reason. */
  read(request: ChangeRequest, signal: AbortSignal): Promise<ChangeRead>;
}
