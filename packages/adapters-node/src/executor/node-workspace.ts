import type {
  ChangedFile,
  CommandReport,
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
import { listChanges } from './journal/list-changes.ts';
import type { KeptRun } from './journal/run-journals.ts';
import { refuseStep } from './refuse-step.ts';

export type NodeWorkspaceOptions = {
  /** Null where nothing is changed. */
  readonly kept: KeptRun | null;
  /** A real path. */
  readonly workingDirectory: string;
  readonly roots: RealRoots;
};

/** The files and commands of one run, and the journal of what they change. */
export class NodeWorkspace implements Workspace {
  readonly #options: NodeWorkspaceOptions;

  constructor(options: NodeWorkspaceOptions) {
    this.#options = options;
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

  async prepareCommands(): Promise<UndoCoverage> {
    return uncovered;
  }

  async runCommand(): Promise<StepResult<CommandReport>> {
    return notHere;
  }

  async pollCommand(): Promise<StepResult<CommandReport>> {
    return notHere;
  }

  async changes(signal: AbortSignal): Promise<RunChanges> {
    const { kept, roots, workingDirectory } = this.#options;
    if (kept === null) {
      return { files: [], coverage: uncovered };
    }
    const { account, contents } = kept.journal;
    return { files: await listChanges({ account, contents, roots, workingDirectory }, signal), coverage: uncovered };
  }

  async close(): Promise<void> {
    await this.#options.kept?.end();
  }
}

const notHere = refuseStep('failed', 'This server cannot do that yet.');

const uncovered: UndoCoverage = { commands: false, reason: 'Commands are not run here yet.' };
