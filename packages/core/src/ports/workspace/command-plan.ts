/** A piece of a pattern for names of files. */
export type PatternPiece =
  | { readonly type: 'literal'; readonly text: string }
  /** `*`: any number of characters, none of them `/`. */
  | { readonly type: 'any' }
  /** `?`: one character that is not `/`. */
  | { readonly type: 'one' };

/** A word of a command: text that is handed on as it is, or a pattern whose place the names of files take. */
export type CommandWord =
  | { readonly type: 'literal'; readonly text: string }
  /** `source` is the word as it was written. */
  | { readonly type: 'pattern'; readonly source: string; readonly pieces: readonly PatternPiece[] };

/** What a command says on its output, on its errors, or on both. */
export type OutputStreams = 'output' | 'errors' | 'both';

/** Where what a command says goes, or where what it reads comes from. */
export type Redirection =
  | {
      readonly type: 'to-file';
      readonly streams: OutputStreams;
      readonly path: string;
      /** Whether the output goes to the end of the file. */
      readonly appends: boolean;
    }
  | { readonly type: 'discard'; readonly streams: OutputStreams }
  | { readonly type: 'errors-to-output' }
  | { readonly type: 'output-to-errors' }
  | { readonly type: 'from-file'; readonly path: string }
  | { readonly type: 'from-nothing' };

/** A program, its arguments, and what surrounds them. */
export type SimpleCommand = {
  /** Variables for this program alone. */
  readonly assignments: readonly { readonly name: string; readonly value: string }[];
  /** The program first. */
  readonly words: readonly [CommandWord, ...CommandWord[]];
  /** In the order in which they are applied. */
  readonly redirections: readonly Redirection[];
};

/** Commands of which each reads what the one before it says. */
export type CommandPipeline = {
  /** Whether it runs in any case, or only after the one before it ended so. */
  readonly when: 'always' | 'after-success' | 'after-failure';
  readonly commands: readonly [SimpleCommand, ...SimpleCommand[]];
};

/** A command line that was understood whole: what is in it runs, and nothing else. */
export type CommandPlan = {
  /** The directory of all of it, relative to that of the call or absolute; null for that of the call. */
  readonly directory: string | null;
  readonly pipelines: readonly [CommandPipeline, ...CommandPipeline[]];
};

/** Why a command line is not run: what was not understood or is not done, and what to write in its place. */
export type CommandRefusal = { readonly reason: string; readonly hint: string };

export type CommandReading =
  | { readonly ok: true; readonly plan: CommandPlan }
  | { readonly ok: false; readonly refusal: CommandRefusal };
