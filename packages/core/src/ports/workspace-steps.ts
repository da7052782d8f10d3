import type { CommandPlan } from '../commands/command-plan.ts';
import type { Replacement } from '../edits/replacement.ts';

/** Why a step was not carried out. Few and stable: models and programs decide by them. */
export type StepRefusalCode =
  | 'invalid-arguments'
  | 'outside-roots'
  | 'protected'
  | 'not-found'
  | 'changed-since-read'
  | 'no-match'
  | 'many-matches'
  | 'too-large'
  | 'refused-command'
  | 'needs-approval'
  | 'denied-by-user'
  | 'sandbox-unavailable'
  | 'timeout'
  | 'out-of-budget'
  | 'cancelled'
  | 'failed';

/** A step that was not carried out: it changed nothing, unless its message says otherwise. */
export type StepRefusal = {
  readonly code: StepRefusalCode;
  /** What happened and why, in a sentence. */
  readonly message: string;
  /** What to do next; empty where there is nothing. */
  readonly hint: string;
  /** Whether the same step may succeed later. */
  readonly retriable: boolean;
  /** With `needs-approval` of a change to a file: what would change. */
  readonly proposal?: ProposedChange;
  /** With `needs-approval` of a command: the risk that the user must accept before it runs. `message` says why. */
  readonly risk?: CommandRisk;
};

/**
 * What cannot be promised of a command. `unmasked`: not everything was looked through for secrets and protected files, so that it may reach some.
 * `not-undoable`: not everything that it changes can be undone.
 */
export type CommandRisk = 'unmasked' | 'not-undoable';

/** What came of a step. */
export type StepResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: StepRefusal };

/** A change to a file that the user has to be asked about. */
export type ProposedChange = {
  /** Where it would be made, links followed: relative to the working directory with `/`, or absolute below another root. */
  readonly path: string;
  /** Why it is asked, in a sentence. */
  readonly reason: string;
  /** Unified, as in `FileChange`. Empty for a file that a command writes itself. */
  readonly diff: string;
  /** Of the content that was there, as in `ViewedFile`; null for none. */
  readonly beforeHash: string | null;
};

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

export type CommandRequest = {
  /** What was read out of the command line: it runs, and nothing else. */
  readonly plan: CommandPlan;
  /** The longest that it may run, in milliseconds. */
  readonly timeoutMs: number;
  /** How long to wait for its end, in milliseconds. Then it goes on, and its report has a handle. */
  readonly waitMs: number;
  /** For each file that the command's redirections write and that is asked about. */
  readonly consents?: readonly ChangeConsent[];
  /** What the user has accepted; none when it is missing. */
  readonly accepts?: readonly CommandRisk[];
  /**
   * Whether the user, not a rule alone, allowed this very command: then it may change installed programs (`node_modules/.bin`) and make
   * repositories. No when it is missing.
   */
  readonly isAllowedByUser?: boolean;
};

/** How a command ended. */
export type CommandEnd =
  /** By itself; 128 plus the number of the signal where a program was killed. */
  | { readonly type: 'exited'; readonly exitCode: number }
  /** By us: too long, too much memory, too much output, an abort. `detail` says which limit. */
  | {
      readonly type: 'stopped';
      readonly reason: 'timeout' | 'memory' | 'output' | 'cancelled';
      readonly detail: string;
    };

export type CommandReport = {
  /** The handle to poll with; null when it has ended. */
  readonly handle: string | null;
  /** Null while it runs. */
  readonly end: CommandEnd | null;
  /**
   * What it printed since the last report, output and errors as they came, decoded from UTF-8 with replacements; beyond 40,000 characters
   * the beginning and the end of it, with a line between that says how much is missing.
   */
  readonly output: string;
  /** How many bytes it has printed in all. */
  readonly outputBytes: number;
  /** Since its start. */
  readonly durationMs: number;
  /** What it changed in files, once it has ended; empty where that is not watched (`UndoCoverage`). */
  readonly changes: readonly FileChange[];
  /** What it changed besides, once it has ended. Nothing when it is missing. */
  readonly unkept?: UnkeptChanges;
  /** What a reader should know of what it changed: sentences. None when it is missing. */
  readonly notes?: readonly string[];
};

/** What commands changed that undo does not put back: in what Git ignores, packages, caches and repositories, or because it was too much. */
export type UnkeptChanges = {
  readonly count: number;
  /** By path, 100 at most: a file, or a directory in which `count` files and directories changed. */
  readonly first: readonly { readonly path: string; readonly count: number }[];
  /** For each program that runs scripts (`scriptKindOf`), one changed file that names them, packages aside. */
  readonly scripts: readonly string[];
};

/** Whether what commands change can be undone. */
export type UndoCoverage =
  | { readonly commands: true }
  /** `reason` says why only the changes of our own tools can be: a sentence. */
  | { readonly commands: false; readonly reason: string };

/** Everything that a run has changed, by path. */
export type RunChanges = {
  readonly files: readonly FileChange[];
  readonly coverage: UndoCoverage;
  /** What undo does not put back; null for nothing. */
  readonly unkept: UnkeptChanges | null;
};
