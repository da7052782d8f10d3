import type { InlineMedia } from './context-resolver.ts';
import type {
  ChangedFile,
  CommandReport,
  CommandRequest,
  FileListing,
  FoundLines,
  ListFilesRequest,
  ModifyFileRequest,
  PutFileRequest,
  RunChanges,
  SearchFilesRequest,
  StepResult,
  UndoCoverage,
  ViewedFile,
  ViewFileRequest,
} from './workspace-steps.ts';

/** What a run may do: read (`plan`), change files as well (`edit`), run commands as well (`full`). */
export type WorkMode = 'plan' | 'edit' | 'full';

export type WorkspaceOptions = {
  /** Names the run in the journal: of letters, digits, `-` and `_`, 64 at most, never used before. */
  readonly runId: string;
  /** Whose the run is: other owners can neither see nor undo it. */
  readonly owner: string;
  /** Absolute. Relative paths are resolved from it, and commands run in it. It lies below a root of `roots`. */
  readonly workingDirectory: string;
  /** Absolute paths of directories: nothing outside is read or changed. */
  readonly roots: readonly string[];
  readonly mode: WorkMode;
  /** Whether commands reach the network. */
  readonly network: boolean;
};

/**
 * What one run may do with a project. An implementer owes:
 *
 * - Nothing outside the roots is read or changed, whatever the names, links and races: a path is opened, and what was opened is checked.
 * - What `judgeWrite` denies is not changed, by its real path, whether it is there or not; what it asks about is changed with the consent
 *   for that very content alone. In a mode that does not write, no change is made; only `full` runs commands.
 * - A file whose content is not the one that the run last saw is not changed (`changed-since-read`), and a file that is there and that the run
 *   has not seen is not replaced as a whole.
 * - A change is made whole or not at all, also when the process is killed. Mode bits, a byte order mark, line ends and a missing last line end
 *   stay as they are, unless the change is about them.
 * - Each change is in the journal before it is made.
 * - Steps never reject. They end by their limits, and soon after an abort, with `cancelled`.
 */
export interface Workspace {
  viewFile(request: ViewFileRequest, signal: AbortSignal): Promise<StepResult<ViewedFile>>;
  /** An image, a PDF or other media that Gemini takes, by its content; 20 MB at most. */
  lookAt(path: string, signal: AbortSignal): Promise<StepResult<InlineMedia>>;
  listFiles(request: ListFilesRequest, signal: AbortSignal): Promise<StepResult<FileListing>>;
  searchFiles(request: SearchFilesRequest, signal: AbortSignal): Promise<StepResult<FoundLines>>;
  /** Creates a file, with the directories above it, or replaces it whole. */
  putFile(request: PutFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>>;
  modifyFile(request: ModifyFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>>;
  /** To be called before the first command: takes what it needs to undo commands. Resolves to the same each time. */
  prepareCommands(signal: AbortSignal): Promise<UndoCoverage>;
  /** Runs a command in the sandbox, and reports when it has ended or `waitMs` are over. */
  runCommand(request: CommandRequest, signal: AbortSignal): Promise<StepResult<CommandReport>>;
  /** Reports on a command that went on, when it has ended or `waitMs` are over. */
  pollCommand(
    request: { readonly handle: string; readonly waitMs: number; readonly stop: boolean },
    signal: AbortSignal,
  ): Promise<StepResult<CommandReport>>;
  changes(signal: AbortSignal): Promise<RunChanges>;
  /** Ends what still runs, with every process of it. Nothing can be done afterwards. Never rejects. */
  close(): Promise<void>;
}

/** Whether commands can be walled in here. */
export type SandboxState =
  | { readonly available: true; readonly name: string }
  | {
      readonly available: false;
      readonly reason: 'missing' | 'blocked-by-apparmor' | 'blocked-by-seccomp' | 'unsupported-system' | 'broken';
      /** What was found, and what to do: sentences for a user. */
      readonly detail: string;
    };

export type UndoRequest = {
  readonly runId: string;
  readonly owner: string;
  /** As in `FileChange`; all that the run changed when it is missing. */
  readonly paths?: readonly string[];
};

/** What became of a path when a run was undone. */
export type UndonePath = {
  readonly path: string;
  readonly outcome: 'restored' | 'removed' | 'already-as-before' | 'refused';
  /** Why it was refused, or what could not be put back of it, in a sentence; empty otherwise. */
  readonly reason: string;
};

export type UndoReport =
  | { readonly found: true; readonly paths: readonly UndonePath[] }
  /** The owner has no such run, or its journal is gone. */
  | { readonly found: false };

/**
 * Works on the user's project: files, and commands inside a sandbox. An implementer owes a journal that survives a kill at any moment, and an
 * undo that puts back what the run left as it was before, byte for byte, in reverse order, and that refuses a path that was changed since.
 */
export interface Executor {
  /** Looks once, and remembers: whether commands can run here. Looks again where the system had run out of something. Never rejects. */
  sandbox(signal: AbortSignal): Promise<SandboxState>;
  /** Opens a workspace for one run. A working directory that is not there, or lies outside the roots, is a refusal. */
  open(options: WorkspaceOptions, signal: AbortSignal): Promise<StepResult<Workspace>>;
  /** Puts back what a run changed, whether the run is over or not even of this process. Never rejects. */
  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoReport>;
}
