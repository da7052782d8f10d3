import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
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
import { isWithin } from '../files/path-containment.ts';
import type { PinnedPaths } from '../files/pin-paths.ts';
import { RealRoots } from '../files/real-roots.ts';
import type { Environment } from '../gemini-cli/environment/child-environment.ts';
import type { Quarantined } from '../state/quarantine.ts';
import { CommandRunner } from './commands/command-runner.ts';
import { RunJournals } from './journal/run-journals.ts';
import { WatchedTree } from './journal/watched-tree.ts';
import { NodeWorkspace } from './node-workspace.ts';
import { refuseStep } from './refuse-step.ts';

export type NodeExecutorOptions = {
  readonly clock: Clock;
  /** For this user alone, and made when it is needed: journals are kept in `journals/`, what commands need meanwhile in `runs/`. */
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
  readonly #commands: CommandRunner;

  constructor(options: NodeExecutorOptions) {
    this.#options = { ...options, privateDirectories: [...options.privateDirectories, options.stateDirectory] };
    this.#journals = new RunJournals(this.#options);
    const { environment, toolPaths, stateDirectory } = options;
    const { privateDirectories } = this.#options;
    const runsDirectory = join(stateDirectory, 'runs');
    this.#commands = new CommandRunner({ runsDirectory, privateDirectories, environment, toolPaths });
  }

  /** Looks once, and never again: the signal ends nothing that others wait for. */
  sandbox(_signal: AbortSignal): Promise<SandboxState> {
    return this.#commands.sandbox();
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
      return { ok: true, value: await this.#openIn(places.value, options) };
    } catch (error) {
      return refuseStep('failed', error instanceof Error ? error.message : 'The run cannot begin.');
    }
  }

  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoReport> {
    return this.#journals.undo(request, signal);
  }

  async #openIn({ roots: directories, workingDirectory }: Places, options: WorkspaceOptions): Promise<Workspace> {
    const { runId, owner, mode, network } = options;
    const { clock, privateDirectories } = this.#options;
    const roots = new RealRoots({ directories, privateDirectories });
    const kept =
      mode === 'plan' ? null : await this.#journals.create({ runId, owner, workingDirectory, roots: directories });
    const commands = this.#commands.open({ mode, network, roots, directories, workingDirectory });
    const writing = kept && {
      kept,
      tree: new WatchedTree({
        directories: withoutInner(directories),
        roots,
        workingDirectory,
        journal: kept.journal,
        copiesDirectory: join(kept.directory, 'copies'),
        clock,
      }),
    };
    return new NodeWorkspace({ workingDirectory, roots, commands, writing });
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

/** Without what lies below another of them. */
function withoutInner(directories: readonly string[]): readonly string[] {
  return directories.filter((one) => !directories.some((other) => other !== one && isWithin(other, one)));
}

/** Null where there is no directory. */
async function realPathOf(path: string): Promise<string | null> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}
