import type { SandboxState, WorkMode } from '@gemini-mcp/core';
import { findRealPath } from '../../files/pin-paths.ts';
import type { RealRoots } from '../../files/real-roots.ts';
import { type CommandLimits, usualCommandLimits } from './command-limits.ts';
import { prepareCommand } from './prepare-command.ts';
import { NameHolder } from './protect/name-holder.ts';
import { ProjectTurns } from './protect/project-turns.ts';
import { ProjectProtection } from './protect/protect-project.ts';
import { createRunPlace, type RunPlace } from './run-place.ts';
import type { SandboxSearch } from './sandbox/command-sandbox.ts';
import { findSandbox } from './sandbox/find-sandbox.ts';
import { findToolPlaces, type ToolPlaces } from './tool-places.ts';
import { WorkspaceCommands } from './workspace-commands.ts';

export type CommandRunnerOptions = {
  /** Private; holds what runs keep for a while. `RunSweeper` clears there what a killed server leaves. */
  readonly runsDirectory: string;
  /** Directories of this program's own that no command may see, besides `runsDirectory`. None when it is missing. */
  readonly privateDirectories?: readonly string[];
  /** Directories of programs outside of the system's own places: absolute, read-only in the sandbox. None when it is missing. */
  readonly toolPaths?: readonly string[];
  readonly limits?: Partial<CommandLimits>;
  /** That of the server: commands see the language and the hour of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the system's own programs lie; its usual places when it is missing. */
  readonly programDirectories?: readonly string[];
};

export type OpenCommandsOptions = {
  readonly mode: WorkMode;
  readonly network: boolean;
  readonly roots: RealRoots;
  /** Real paths of what commands may write: the roots. */
  readonly directories: readonly string[];
  /** A real path below a root. */
  readonly workingDirectory: string;
};

/** Runs commands in a sandbox, or says why it cannot. */
export class CommandRunner {
  readonly #options: CommandRunnerOptions;
  readonly #limits: CommandLimits;
  readonly #holder = new NameHolder();
  readonly #turns = new ProjectTurns();
  #search: Promise<SandboxSearch> | undefined;
  #tools: ToolPlaces | undefined;

  constructor(options: CommandRunnerOptions) {
    this.#options = options;
    this.#limits = { ...usualCommandLimits, ...options.limits };
  }

  /** As `sandbox` of an `Executor`. */
  async sandbox(): Promise<SandboxState> {
    const search = await this.#find();
    return search.found ? { available: true, name: 'bubblewrap' } : search.state;
  }

  /** For one run. Nothing is made before its first command. */
  open(options: OpenCommandsOptions): WorkspaceCommands {
    let place: Promise<RunPlace> | undefined;
    const protection = this.#protect(options);
    const getPlace = (): Promise<RunPlace> => {
      place ??= createRunPlace(this.#options.runsDirectory);
      // What did not work now may work next time.
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

  #findTools(): ToolPlaces {
    this.#tools ??= findToolPlaces({ toolPaths: this.#options.toolPaths ?? [], execPath: process.execPath });
    return this.#tools;
  }

  async #find(): Promise<SandboxSearch> {
    const { programDirectories: directories } = this.#options;
    // Not by the signal of one call: others wait for the same.
    this.#search ??= findSandbox({ ...(directories && { directories }) }, new AbortController().signal);
    const looking = this.#search;
    const search = await looking;
    if (!search.found && search.isShortage && this.#search === looking) {
      this.#search = undefined;
    }
    return search;
  }
}
