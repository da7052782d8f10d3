import { realpath, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type {
  Clock,
  Executor,
  SandboxState,
  StepResult,
  UndoReport,
  UndoRequest,
  Workspace,
  WorkspaceOptions,
} from '@gemini-mcp/core';
import type { PinnedPaths } from '../files/pin-paths.ts';
import { RealRoots } from '../files/real-roots.ts';
import type { Environment } from '../gemini-cli/environment/child-environment.ts';
import type { Quarantined } from '../state/quarantine.ts';
import { RunJournals } from './journal/run-journals.ts';
import { NodeWorkspace } from './node-workspace.ts';
import { refuseStep } from './refuse-step.ts';

export type NodeExecutorOptions = {
  readonly clock: Clock;
  /** For this user alone, and made when it is needed. Journals of runs are kept below it. */
  readonly stateDirectory: string;
  /** Nothing in them is read or changed, though a root may hold them; the state directory is one of them. */
  readonly privateDirectories: readonly string[];
  /** Where roots really lay when the program started; they are resolved with each run where it is missing. */
  readonly pinned?: PinnedPaths;
  /** Of the program: commands get what they need of it. */
  readonly environment: Environment;
  /** Directories of programs that commands may read and run, outside of the system's own. */
  readonly toolPaths: readonly string[];
  /** How long a run can be undone: 7 days by default. */
  readonly retentionMs?: number;
  /** Told of a journal that was damaged and moved out of the way, for the log. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
};

/** Works on projects of this machine. Several processes may share a state directory. */
export class NodeExecutor implements Executor {
  readonly #options: NodeExecutorOptions;
  readonly #journals: RunJournals;

  constructor(options: NodeExecutorOptions) {
    this.#options = { ...options, privateDirectories: [...options.privateDirectories, options.stateDirectory] };
    this.#journals = new RunJournals(this.#options);
  }

  async sandbox(_signal: AbortSignal): Promise<SandboxState> {
    return { available: false, reason: 'unsupported-system', detail: 'Commands are not run here yet.' };
  }

  async open(options: WorkspaceOptions, signal: AbortSignal): Promise<StepResult<Workspace>> {
    if (signal.aborted) {
      return refuseStep('cancelled', 'The run was stopped.');
    }
    const places = await this.#findPlaces(options);
    if (!places.ok) {
      return places;
    }
    try {
      const { runId, owner, mode } = options;
      const { roots, workingDirectory } = places.value;
      const kept = mode === 'plan' ? null : await this.#journals.create({ runId, owner, workingDirectory, roots });
      const { privateDirectories } = this.#options;
      const realRoots = new RealRoots({ directories: roots, privateDirectories });
      return { ok: true, value: new NodeWorkspace({ kept, workingDirectory, roots: realRoots }) };
    } catch (error) {
      return refuseStep('failed', error instanceof Error ? error.message : 'The run cannot begin.');
    }
  }

  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoReport> {
    return this.#journals.undo(request, signal);
  }

  async #findPlaces({ workingDirectory, roots }: WorkspaceOptions): Promise<StepResult<Places>> {
    const named = [workingDirectory, ...roots].find((path) => !isAbsolute(path) || path.includes('\0'));
    if (named !== undefined) {
      return refuseStep('invalid-arguments', `${JSON.stringify(named)} is not an absolute path.`);
    }
    const realRoots = await Promise.all(roots.map((root) => this.#options.pinned?.get(root) ?? realPathOf(root)));
    const directories = [...new Set(realRoots.filter((root) => root !== null))];
    const real = await realPathOf(workingDirectory);
    const shown = JSON.stringify(workingDirectory);
    if (real === null) {
      return refuseStep('not-found', `There is no directory ${shown}.`);
    }
    const { privateDirectories } = this.#options;
    if (!new RealRoots({ directories, privateDirectories }).contains(real)) {
      return refuseStep('outside-roots', `${shown} lies outside of the directories that may be worked in.`);
    }
    return { ok: true, value: { workingDirectory: real, roots: directories } };
  }
}

type Places = Pick<WorkspaceOptions, 'workingDirectory' | 'roots'>;

/** Null where there is no directory. */
async function realPathOf(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
