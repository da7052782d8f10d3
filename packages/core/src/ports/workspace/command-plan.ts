/** A piece of a file name pattern. */
export type PatternPiece =
  | { readonly type: 'literal'; readonly text: string }
  /** `*`: any number of characters except `/`. */
  | { readonly type: 'any' }
  /** `?`: one character except `/`. */
  | { readonly type: 'one' };

/** A word of a command: literal text, or a pattern that expands to file names. */
export type CommandWord =
  | { readonly type: 'literal'; readonly text: string }
  /** `source` is the word as written. */
  | { readonly type: 'pattern'; readonly source: string; readonly pieces: readonly PatternPiece[] };

/** Standard output, standard error, or both. */
export type OutputStreams = 'output' | 'errors' | 'both';

/** Where the output goes, or where the input comes from. */
export type Redirection =
  | {
      readonly type: 'to-file';
      readonly streams: OutputStreams;
      readonly path: string;
      /** Whether the output is appended to the file. */
      readonly appends: boolean;
    }
  | { readonly type: 'discard'; readonly streams: OutputStreams }
  | { readonly type: 'errors-to-output' }
  | { readonly type: 'output-to-errors' }
  | { readonly type: 'from-file'; readonly path: string }
  | { readonly type: 'from-nothing' };

/** A program with its arguments, variables and redirections. */
export type SimpleCommand = {
  /** Variables for this program alone. */
  readonly assignments: readonly { readonly name: string; readonly value: string }[];
  /** The program first. */
  readonly words: readonly [CommandWord, ...CommandWord[]];
  /** In the order in which they are applied. */
  readonly redirections: readonly Redirection[];
};

/** Commands connected by pipes. */
export type CommandPipeline = {
  /** Whether it always runs, or only after the previous pipeline succeeded or failed. */
  readonly when: 'always' | 'after-success' | 'after-failure';
  readonly commands: readonly [SimpleCommand, ...SimpleCommand[]];
};

/** A fully parsed command line: exactly its parts run, and nothing else. */
export type CommandPlan = {
  /** The directory for all of it, absolute or relative to that of the call; null for the call's own. */
  readonly directory: string | null;
  readonly pipelines: readonly [CommandPipeline, ...CommandPipeline[]];
};

/** Why a command line is refused, and what to write instead. */
export type CommandRefusal = { readonly reason: string; readonly hint: string };

export type CommandReading =
  | { readonly ok: true; readonly plan: CommandPlan }
  | { readonly ok: false; readonly refusal: CommandRefusal };
