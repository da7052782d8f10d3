import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
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
import { cancelled, isNoDirectory, notFound, outsideRoots, refusal, refused } from '@gemini-mcp/core/internal';
import type { Quarantined } from '../disk/durable/quarantine.ts';
import type { PinnedPaths } from '../disk/pin-paths.ts';
import { RealRoots } from '../disk/real-roots.ts';
import { isWithin, withoutInner } from '../processes/path-containment.ts';
import type { Environment } from '../processes/programs/child-environment.ts';
import { CommandRunner } from './commands/command-runner.ts';
import type { ChangeJournal } from './journal/file-state.ts';
import { copiesName } from './journal/run-journal.ts';
import { RunJournals } from './journal/run-journals.ts';
import { WatchedTree } from './journal/tree/watched-tree.ts';
import { NodeWorkspace, type RunRecord } from './node-workspace.ts';

export type NodeExecutorOptions = {
  readonly clock: Clock;
  /** Private to this user, created when needed: journals are kept in `journals/`, temporary data of commands in `runs/`. */
  readonly stateDirectory: string;
  /** Nothing in them is read or changed, even inside a root; the state directory is one of them. */
  readonly privateDirectories: readonly string[];
  /** The real paths of the roots at program start; a root without an entry is a real path itself. Resolved with each run if missing. */
  readonly pinned?: PinnedPaths;
  /** The program's environment, from which commands get what they need. */
  readonly environment: Environment;
  /** Directories of programs, outside the system's own, that commands may read and run. */
  readonly toolPaths: readonly string[];
  /** How long a run can be undone: 7 days by default. */
  readonly retentionMs?: number;
  /** Called for the log with each damaged journal that was moved aside. */
  readonly onQuarantine?: (quarantined: Quarantined) => void;
};

/** Works on this machine's projects. Several processes may share a state directory. */
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

  /** Looks only once: the signal does not end a search that others wait for. */
  sandbox(_signal: AbortSignal): Promise<SandboxState> {
    return this.#commands.sandbox();
  }

  async open(options: WorkspaceOptions, signal: AbortSignal): Promise<StepResult<Workspace>> {
    if (signal.aborted) {
      return refused(cancelled());
    }
    const places = await this.#findPlaces(options);
    if (!places.ok) {
      return places;
    }
    try {
      return { ok: true, value: await this.#openIn(places.value, options) };
    } catch (error) {
      return refused(refusal('failed', error instanceof Error ? error.message : 'The run cannot begin.'));
    }
  }

  undo(request: UndoRequest, signal: AbortSignal): Promise<UndoReport> {
    return this.#journals.undo(request, signal);
  }

  async #openIn(places: Places, options: WorkspaceOptions): Promise<Workspace> {
    const { mode, network } = options;
    const { clock, privateDirectories } = this.#options;
    const record = mode === 'plan' ? null : await this.#record(places, options);
    const roots = new RealRoots({ directories: places.roots, privateDirectories });
    const { workingDirectory, roots: directories } = places;
    const commands = this.#commands.open({ mode, network, roots, directories, workingDirectory });
    const journal = record?.tree ?? nothingToChange;
    return new NodeWorkspace({ ...places, privateDirectories, mode, journal, clock, commands, record });
  }

  async #record(places: Places, { runId, owner }: WorkspaceOptions): Promise<RunRecord> {
    const { clock, privateDirectories } = this.#options;
    const { workingDirectory } = places;
    const roots = new RealRoots({ directories: places.roots, privateDirectories });
    const kept = await this.#journals.create({ runId, owner, ...places });
    const tree = new WatchedTree({
      ...{ roots, workingDirectory, clock },
      directories: withoutInner(places.roots),
      journal: kept.journal,
      copiesDirectory: join(kept.directory, copiesName),
    });
    return { kept, tree, roots };
  }

  async #findPlaces({ workingDirectory, roots }: WorkspaceOptions): Promise<StepResult<Places>> {
    const named = [workingDirectory, ...roots].find((path) => !isAbsolute(path) || path.includes('\0'));
    if (named !== undefined) {
      return refused(refusal('invalid-arguments', `${JSON.stringify(named)} is not an absolute path.`));
    }
    const realRoots = await Promise.all(roots.map((root) => this.#rootAt(root)));
    const directories = [...new Set(realRoots.filter((root) => root !== null))];
    const { privateDirectories } = this.#options;
    const real = await realPathOf(workingDirectory);
    const isInside = real !== null && new RealRoots({ directories, privateDirectories }).contains(real);
    if (!isInside) {
      // Don't reveal whether a path outside the roots exists.
      const isBelow = roots.some((root) => isWithin(root, resolve(workingDirectory)));
      return refused(
        real === null && isBelow ? notFound(workingDirectory) : outsideRoots(workingDirectory, nameAnother),
      );
    }
    const isDirectory = (await stat(real)).isDirectory();
    return isDirectory
      ? { ok: true, value: { workingDirectory: real, roots: directories } }
      : refused(isNoDirectory(workingDirectory));
  }

  /** Ignore a pinned root that has since become a symlink. */
  async #rootAt(root: string): Promise<string | null> {
    const { pinned } = this.#options;
    const pin = pinned?.get(root) ?? root;
    const real = await directoryAt(pin);
    return pinned === undefined || pin === real ? real : null;
  }
}

const nameAnother = 'Name a directory inside them. The operator can allow more with GEMINI_MCP_ROOTS.';

type Places = Pick<WorkspaceOptions, 'workingDirectory' | 'roots'>;

/** Null if the path is missing. */
async function realPathOf(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** The real path of a directory; null if it is missing. */
async function directoryAt(path: string): Promise<string | null> {
  const real = await realPathOf(path);
  const stats = real === null ? null : await stat(real).catch(() => null);
  return stats?.isDirectory() === true ? real : null;
}

/** For read-only runs: none of their steps gets this far. */
const nothingToChange: ChangeJournal = {
  record: () => Promise.reject(new Error('this run is read-only')),
};
