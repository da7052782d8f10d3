import type {
  ChangedFile,
  CommandReport,
  CommandRequest,
  FileListing,
  FoundLines,
  InlineMedia,
  RunChanges,
  StepResult,
  UndoCoverage,
  ViewedFile,
  Workspace,
} from '@gemini-mcp/core';
import type { RealRoots } from '../files/real-roots.ts';
import type { WorkspaceCommands } from './commands/workspace-commands.ts';
import { listChanges } from './journal/list-changes.ts';
import type { KeptRun } from './journal/run-journals.ts';
import type { WatchedTree } from './journal/watched-tree.ts';
import { refuseStep } from './refuse-step.ts';
import { WatchedCommands } from './watched-commands.ts';

export type NodeWorkspaceOptions = {
  /** A real path. */
  readonly workingDirectory: string;
  readonly roots: RealRoots;
  readonly commands: WorkspaceCommands;
  /** Null where nothing is changed. */
  readonly writing: { readonly kept: KeptRun; readonly tree: WatchedTree } | null;
};

/** The files and commands of one run, and the journal of what they change. */
export class NodeWorkspace implements Workspace {
  readonly #options: NodeWorkspaceOptions;
  readonly #commands: WatchedCommands | WorkspaceCommands;

  constructor(options: NodeWorkspaceOptions) {
    const { commands, writing } = options;
    this.#options = options;
    this.#commands = writing === null ? commands : new WatchedCommands(commands, writing.tree);
  }

  async viewFile(): Promise<StepResult<ViewedFile>> {
    return notHere;
  }

  async lookAt(): Promise<StepResult<InlineMedia>> {
    return notHere;
  }

  async listFiles(): Promise<StepResult<FileListing>> {
    return notHere;
  }

  async searchFiles(): Promise<StepResult<FoundLines>> {
    return notHere;
  }

  async putFile(): Promise<StepResult<ChangedFile>> {
    return notHere;
  }

  async modifyFile(): Promise<StepResult<ChangedFile>> {
    return notHere;
  }

  async prepareCommands(signal: AbortSignal): Promise<UndoCoverage> {
    return this.#options.writing?.tree.prepare(signal) ?? nothingChanges;
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
    const { writing, roots, workingDirectory } = this.#options;
    if (writing === null) {
      return { files: [], coverage: nothingChanges };
    }
    const { account, contents } = writing.kept.journal;
    const files = await listChanges({ account, contents, roots, workingDirectory }, signal);
    return { files, coverage: writing.tree.coverage };
  }

  async close(): Promise<void> {
    await this.#commands.close();
    await this.#options.writing?.kept.end();
  }
}

const notHere = refuseStep('failed', 'This server cannot do that yet.');

/** No command changes anything here. */
const nothingChanges: UndoCoverage = { commands: true };
