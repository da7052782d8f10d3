import { dirname, join } from 'node:path';
import type { CommandRequest, SandboxState, StepRefusal, StepResult, WorkMode } from '@gemini-mcp/core';
import { findRealPath } from '../../disk/pin-paths.ts';
import type { RealRoots } from '../../disk/real-roots.ts';
import { runMarkerName } from '../../processes/marked-processes.ts';
import { type CommandLimits, usualCommandLimits } from './command-limits.ts';
import { countJoints } from './plan/carry-out-plan.ts';
import { type CommandPaths, findDirectory } from './plan/command-place.ts';
import { judgeRedirections } from './plan/judge-redirections.ts';
import { ProjectWalls } from './project-walls.ts';
import { NameHolder } from './protect/name-holder.ts';
import { ProjectTurns } from './protect/project-turns.ts';
import { ProjectProtection } from './protect/protect-project.ts';
import { refuseStep, refuseWithoutSandbox } from './refuse-step.ts';
import type { RunCommandOptions } from './run-command.ts';
import { createRunPlace, type RunPlace } from './run-place.ts';
import { closePipe, makePipes } from './running/output-pipes.ts';
import type { FoundSandbox, SandboxSearch } from './sandbox/command-sandbox.ts';
import { findSandbox } from './sandbox/find-sandbox.ts';
import { sandboxHome, unseenNamesFile } from './sandbox/sandbox-view.ts';
import { findToolDirectories, type ToolDirectories } from './tool-directories.ts';
import { WorkspaceCommands } from './workspace-commands.ts';

export type CommandRunnerOptions = {
  /** Private; holds temporary data of runs. `RunSweeper` clears the leftovers of killed servers there. */
  readonly runsDirectory: string;
  /** This program's own directories that no command may see, besides `runsDirectory`. Defaults to an empty list. */
  readonly privateDirectories?: readonly string[];
  /** Directories of programs outside the system's own places: absolute, read-only in the sandbox. Defaults to an empty list. */
  readonly toolPaths?: readonly string[];
  readonly limits?: Partial<CommandLimits>;
  /** The server's environment: commands get its language and time zone. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directories of the system's own programs; defaults to the usual places. */
  readonly programDirectories?: readonly string[];
};

export type OpenCommandsOptions = {
  readonly mode: WorkMode;
  readonly network: boolean;
  readonly roots: RealRoots;
  /** The real paths that commands may write: the roots. */
  readonly directories: readonly string[];
  readonly workingDirectory: string;
};

/** Runs commands in a sandbox, or explains why it cannot. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;
  readonly #limits: CommandLimits;
  readonly #holder = new NameHolder();
  readonly #turns = new ProjectTurns();
  #search: Promise<SandboxSearch> | undefined;
  #tools: ToolDirectories | undefined;

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
    this.#limits = { ...usualCommandLimits, ...options.limits };
  }

  /** Implements `sandbox` of an `Executor`. */
  async sandbox(): Promise<SandboxState> {
    const search = await this.#find();
    return search.found ? { available: true, name: 'bubblewrap' } : search.state;
  }

  /** Opens the commands of one run. Creates nothing before the first command. */
  open(options: OpenCommandsOptions): WorkspaceCommands {
    let place: Promise<RunPlace> | undefined;
    const protection = this.#protect(options);
    const getPlace = (): Promise<RunPlace> => {
      place ??= createRunPlace(this.#options.runsDirectory);
      // A failure now may not recur next time.
      place.catch(() => {
        place = undefined;
      });
      return place;
    };
    return new WorkspaceCommands({
      maxOutputBytes: this.#limits.maxOutputBytes,
      prepare: async (request, signal) =>
        prepareCommand(
          {
            ...options,
            request,
            search: await this.#find(),
            getPlace,
            protection,
            turns: this.#turns,
            limits: this.#limits,
            tools: this.#findTools(),
            environment: this.#options.environment,
          },
          signal,
        ),
      clear: async () => (await place?.catch(() => null))?.remove(),
    });
  }

  #protect({ directories, workingDirectory }: OpenCommandsOptions): ProjectProtection {
    const { runsDirectory, privateDirectories = [] } = this.#options;
    return new ProjectProtection({
      directories,
      workingDirectory,
      privateDirectories: [runsDirectory, ...privateDirectories].map(findRealPath),
      holder: this.#holder,
    });
  }

  #findTools(): ToolDirectories {
    this.#tools ??= findToolDirectories({ toolPaths: this.#options.toolPaths ?? [], execPath: process.execPath });
    return this.#tools;
  }

  async #find(): Promise<SandboxSearch> {
    const { programDirectories: directories } = this.#options;
    // Not aborted by the signal of one call: others wait for the same search.
    this.#search ??= findSandbox({ ...(directories && { directories }) }, new AbortController().signal);
    const looking = this.#search;
    const search = await looking;
    if (!search.found && search.isShortage && this.#search === looking) {
      this.#search = undefined;
    }
    return search;
  }
}

type PrepareCommandOptions = OpenCommandsOptions & {
  readonly request: CommandRequest;
  readonly search: SandboxSearch;
  readonly getPlace: () => Promise<RunPlace>;
  readonly limits: CommandLimits;
  readonly protection: ProjectProtection;
  readonly turns: ProjectTurns;
  readonly tools: ToolDirectories;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** Checks whether a command may run, and prepares what it needs. Does not start it. Never rejects. */
async function prepareCommand(
  options: PrepareCommandOptions,
  signal: AbortSignal,
): Promise<StepResult<RunCommandOptions>> {
  const { mode, search, request, roots, workingDirectory } = options;
  if (mode !== 'full') {
    return refuse(refuseStep('mode-without-commands'));
  }
  if (!search.found) {
    return refuse(refuseWithoutSandbox(search.state.detail));
  }
  const places: CommandPaths = { roots, workingDirectory };
  const directory = await findDirectory(places, request.plan.directory);
  if (typeof directory !== 'string') {
    return refuse(directory);
  }
  const consents = request.consents ?? [];
  const refusal = await judgeRedirections({ plan: request.plan, places, directory, consents });
  if (refusal !== null) {
    return refuse(refusal);
  }
  try {
    return await furnish({ ...options, sandbox: search.sandbox, places, directory }, signal);
  } catch (error) {
    return refuse(refuseWithoutSandbox(error instanceof Error ? error.message : 'The file system refuses it.'));
  }
}

type Furnishing = PrepareCommandOptions & {
  readonly sandbox: FoundSandbox;
  readonly places: CommandPaths;
  readonly directory: string;
};

async function furnish(options: Furnishing, signal: AbortSignal): Promise<StepResult<RunCommandOptions>> {
  const { request, sandbox, places, directory, limits } = options;
  const place = await options.getPlace();
  const { tools } = options;
  const environment = commandEnvironment({
    runId: place.runId,
    toolDirectories: tools.directories,
    projectDirectories: projectPrograms(directory, options),
    toolVariables: tools.variables,
    outer: options.environment,
  });
  const walls = new ProjectWalls({
    ...{ ...options, request, place, environment, tools, directory },
    protection: await options.protection.protect(place.root),
  });
  const count = 1 + countJoints(request.plan);
  const pipes = await makePipes({ mkfifo: sandbox.mkfifo, directory: place.pipes, count });
  const [shown, ...joints] = pipes ?? [];
  const refusal = shown === undefined ? refuseWithoutSandbox('Its pipes could not be created.') : await walls.refuse();
  if (shown === undefined || refusal !== null || signal.aborted) {
    pipes?.forEach(closePipe);
    await walls.release();
    return refuse(signal.aborted || refusal === null ? refuseStep('cancelled') : refusal);
  }
  return {
    ok: true,
    value: {
      release: () => walls.release(),
      ...{ plan: request.plan, places, directory, limits },
      pipes: [shown, ...joints],
      consented: new Set((request.consents ?? []).map(({ path }) => path)),
      heldPaths: walls.heldPaths,
      disks: [...options.directories, place.sandbox.temporary],
      start: (start) => walls.start(start),
    },
  };
}

/** The directories where package managers put a project's programs, from the command's directory up to its root. */
function projectPrograms(directory: string, { roots }: Furnishing): readonly string[] {
  const found: string[] = [];
  for (let at = directory; roots.contains(at); at = dirname(at)) {
    found.push(join(at, 'node_modules', '.bin'), join(at, '.venv', 'bin'));
  }
  return found;
}

function refuse(refusal: StepRefusal): { readonly ok: false; readonly refusal: StepRefusal } {
  return { ok: false, refusal };
}

type CommandEnvironmentOptions = {
  readonly runId: string;
  readonly toolDirectories: readonly string[];
  /** Directories of the project's programs: last in PATH, so that none of them shadows one of the system's. */
  readonly projectDirectories: readonly string[];
  /** Variables by which tools find their own files, such as CARGO_HOME. */
  readonly toolVariables: Readonly<Record<string, string>>;
  /** The server's environment, from which only the language and the time zone are taken. */
  readonly outer: Readonly<Record<string, string | undefined>>;
};

const systemDirectories = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

const carried = ['LANG', 'LC_ALL', 'LC_CTYPE', 'TZ'] as const;

/** The complete environment of a command. It contains nothing else of the server's, least of all keys. */
function commandEnvironment(options: CommandEnvironmentOptions): Readonly<Record<string, string>> {
  const { runId, toolDirectories, projectDirectories, toolVariables, outer } = options;
  const kept = carried.flatMap((name) => (outer[name] === undefined ? [] : [[name, outer[name]]]));
  return {
    LANG: 'C.UTF-8',
    ...Object.fromEntries(kept),
    ...toolVariables,
    PATH: [...toolDirectories, ...systemDirectories, '/run/current-system/sw/bin', ...projectDirectories].join(':'),
    HOME: sandboxHome,
    USER: 'gemini',
    LOGNAME: 'gemini',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    TERM: 'dumb',
    CI: '1',
    NO_COLOR: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
    // Read-only commands must not lock a repository that cannot be written.
    GIT_OPTIONAL_LOCKS: '0',
    // Keeps held names out of `git status`.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'core.excludesFile',
    GIT_CONFIG_VALUE_0: unseenNamesFile,
    [runMarkerName]: runId,
  };
}
