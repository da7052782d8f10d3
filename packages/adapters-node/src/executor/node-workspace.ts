import type {
  ChangedFile,
  CommandReport,
  CommandRequest,
  FileListing,
  FoundLines,
  InlineMedia,
  ListFilesRequest,
  ModifyFileRequest,
  PutFileRequest,
  RunChanges,
  SearchFilesRequest,
  StepResult,
  UndoCoverage,
  ViewedFile,
  ViewFileRequest,
  Workspace,
} from '@gemini-mcp/core';
import type { RealRoots } from '../files/real-roots.ts';
import type { WorkspaceCommands } from './commands/workspace-commands.ts';
import type { WorkspaceFiles } from './files/workspace-files.ts';
import { listChanges } from './journal/list-changes.ts';
import type { KeptRun } from './journal/run-journals.ts';
import type { WatchedTree } from './journal/watched-tree.ts';
import { WatchedCommands } from './watched-commands.ts';

/** What a run that changes something is kept by. */
export type KeptWork = {
  readonly kept: KeptRun;
  readonly tree: WatchedTree;
  readonly roots: RealRoots;
  /** A real path. */
  readonly workingDirectory: string;
};

export type NodeWorkspaceOptions = {
  readonly files: WorkspaceFiles;
  readonly commands: WorkspaceCommands;
  /** Null where nothing is changed. */
  readonly work: KeptWork | null;
};

/** The files and commands of one run, and the journal of what they change. */
export class NodeWorkspace implements Workspace {
  readonly #files: WorkspaceFiles;
  readonly #commands: WatchedCommands | WorkspaceCommands;
  readonly #work: KeptWork | null;

  constructor({ files, commands, work }: NodeWorkspaceOptions) {
    this.#files = files;
    this.#commands = work === null ? commands : new WatchedCommands(commands, work.tree);
    this.#work = work;
  }

  viewFile(request: ViewFileRequest, signal: AbortSignal): Promise<StepResult<ViewedFile>> {
    return this.#files.viewFile(request, signal);
  }

  lookAt(path: string, signal: AbortSignal): Promise<StepResult<InlineMedia>> {
    return this.#files.lookAt(path, signal);
  }

  listFiles(request: ListFilesRequest, signal: AbortSignal): Promise<StepResult<FileListing>> {
    return this.#files.listFiles(request, signal);
  }

  searchFiles(request: SearchFilesRequest, signal: AbortSignal): Promise<StepResult<FoundLines>> {
    return this.#files.searchFiles(request, signal);
  }

  putFile(request: PutFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>> {
    return this.#files.putFile(request, signal);
  }

  modifyFile(request: ModifyFileRequest, signal: AbortSignal): Promise<StepResult<ChangedFile>> {
    return this.#files.modifyFile(request, signal);
  }

  async prepareCommands(signal: AbortSignal): Promise<UndoCoverage> {
    return this.#work?.tree.prepare(signal) ?? nothingChanges;
  }

  runCommand(request: CommandRequest, signal: AbortSignal): Promise<StepResult<CommandReport>> {
    return this.#commands.run(request, signal);
  }

  pollCommand(
    request: { readonly handle: string; readonly waitMs: number; readonly stop: boolean },
    signal: AbortSignal,
  ): Promise<StepResult<CommandReport>> {
    return this.#commands.poll(request, signal);
  }

  async changes(signal: AbortSignal): Promise<RunChanges> {
    if (this.#work === null) {
      return { files: [], coverage: nothingChanges, unkept: null };
    }
    const { kept, tree, roots, workingDirectory } = this.#work;
    const { account, contents } = kept.journal;
    return {
      files: await listChanges({ account, contents, roots, workingDirectory }, signal),
      coverage: tree.coverage,
      unkept: tree.unkept,
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#files.close(), this.#commands.close()]);
    await this.#work?.kept.end();
  }
}

/** No command changes anything here. */
const nothingChanges: UndoCoverage = { commands: true };
