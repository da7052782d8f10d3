import type { CommandPlan } from '../ports/workspace/command-plan.ts';
import type { Executor, SandboxState, WorkspaceOptions } from '../ports/workspace/executor.ts';
import type { StepResult } from '../ports/workspace/step-result.ts';
import type { UndoReport, UndoRequest } from '../ports/workspace/undo.ts';
import type { Workspace } from '../ports/workspace/workspace.ts';
import { cancelled, isNoDirectory, notFound, outsideRoots, refused } from '../workspace/step-refusals.ts';
import { FakeCommands, type ScriptedCommand } from './fake-commands.ts';
import { FakeFiles, type FakeFilesOptions } from './fake-files.ts';
import { FakeJournal } from './fake-journal.ts';
import { FakePaths } from './fake-paths.ts';
import { FakeWorkspace } from './fake-workspace.ts';

export type FakeExecutorOptions = FakeFilesOptions & {
  /** The behaviour of a command; if missing, it prints nothing and exits with 0. */
  readonly command?: (plan: CommandPlan) => ScriptedCommand;
  /** An available sandbox if missing. */
  readonly sandbox?: SandboxState;
};

const nothing: ScriptedCommand = { outputs: [''], exitCode: 0 };

/**
 * An executor over files in memory whose commands are scripts. Secret names are `.env` and those ending in `.pem`; of ignore files, it supports whole
 * names in a `.gitignore` of the working directory.
 */
export class FakeExecutor implements Executor {
  /** The files as the user sees them: tests read and change them here. */
  readonly files: FakeFiles;
  readonly #options: FakeExecutorOptions;
  readonly #journals = new Map<string, FakeJournal>();

  constructor(options: FakeExecutorOptions) {
    this.files = new FakeFiles(options);
    this.#options = options;
  }

  async sandbox(): Promise<SandboxState> {
    return this.#options.sandbox ?? { available: true, name: 'fake' };
  }

  async open(options: WorkspaceOptions, signal: AbortSignal): Promise<StepResult<Workspace>> {
    const paths = new FakePaths(this.files, options);
    const place = paths.locate(options.workingDirectory);
    if (signal.aborted) {
      return refused(cancelled());
    }
    if (place === null) {
      return refused(outsideRoots(options.workingDirectory));
    }
    const kind = this.files.kindOf(place);
    if (kind !== 'directory') {
      return refused(kind === null ? notFound(options.workingDirectory) : isNoDirectory(options.workingDirectory));
    }
    const journal = new FakeJournal(options.owner, this.files, (path) => paths.show(path));
    this.#journals.set(options.runId, journal);
    const commands = new FakeCommands(this.files, this.#options.command ?? (() => nothing), (path, before) =>
      journal.record(path, before),
    );
    const sandbox = await this.sandbox();
    const { mode } = options;
    return { ok: true, value: new FakeWorkspace({ files: this.files, paths, journal, commands, mode, sandbox }) };
  }

  async undo(request: UndoRequest, signal: AbortSignal): Promise<UndoReport> {
    const journal = this.#journals.get(request.runId);
    return journal === undefined || journal.owner !== request.owner ? { found: false } : journal.undo(request, signal);
  }
}
