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

/** What a run may do: read (`plan`), also change files (`edit`), also run commands (`full`). */
export type WorkMode = 'plan' | 'edit' | 'full';

/**
 * The files and commands of one run in a project. Implementations must:
 *
 * - Read and change nothing outside the roots, whatever the names, links and races: they open a path, then check what they opened.
 * - Never change a real path that `judgeWrite` denies, whether it exists or not; if it asks, change only the exact content that the user consented
 *   to. A mode that does not write makes no change; only `full` runs commands.
 * - Refuse to change a file whose content differs from what the run last saw (`changed-since-read`), and to replace an existing file as a whole if
 *   the run has not seen it.
 * - Make a change whole or not at all, even if the process is killed. Mode bits, a byte order mark, line ends and a missing final line end stay,
 *   unless the change is about them.
 * - Write each change to the journal before making it.
 * - Never reject. Steps end at their limits and soon after an abort, with `cancelled`.
 */
export interface Workspace {
  viewFile(request: ViewFileRequest, signal: AbortSignal): Promise<StepResult<ViewedFile>>;
  /** An image, a PDF or other media that Gemini accepts, detected from the content; at most 20 MB. */
  lookAt(path: string, signal: AbortSignal): Promise<StepResult<InlineMedia>>;
  listFiles(request: ListFilesRequest, signal: AbortSignal): Promise<StepResult<FileListing>>;
  searchFiles(request: SearchFilesRequest, signal: AbortSignal): Promise<StepResult<FoundLines>>;
  /** Creates a file and its parent directories, or replaces the whole file. */
  putFile(request: PutFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>>;
  modifyFile(request: ModifyFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>>;
  /** Prepares the undo of commands. Call it before the first command. Resolves to the same value each time. */
  prepareCommands(signal: AbortSignal): Promise<UndoCoverage>;
  /** Runs a command in the sandbox, and reports once it has ended or after `waitMs`. */
  runCommand(request: CommandRequest, signal: AbortSignal): Promise<StepResult<CommandReport>>;
  /** Reports on a running command once it has ended or after `waitMs`. */
  pollCommand(
    request: { readonly handle: string; readonly waitMs: number; readonly stop: boolean },
    signal: AbortSignal,
  ): Promise<StepResult<CommandReport>>;
  changes(signal: AbortSignal): Promise<RunChanges>;
  /** Ends everything that still runs, including all child processes. No step can follow. Never rejects. */
  close(): Promise<void>;
}
