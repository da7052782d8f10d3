import type { InlineMedia } from '../context-resolver.ts';
import type { CommandReport, CommandRequest } from './command-steps.ts';
import type {
  ChangedFile,
  FileListing,
  FoundLines,
  ListFilesRequest,
  ModifyFileRequest,
  PutFileRequest,
  SearchFilesRequest,
  ViewedFile,
  ViewFileRequest,
} from './file-steps.ts';
import type { StepResult } from './step-result.ts';
import type { RunChanges, UndoCoverage } from './undo.ts';

/** What a run may do: read (`plan`), change files as well (`edit`), run commands as well (`full`). */
export type WorkMode = 'plan' | 'edit' | 'full';

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
