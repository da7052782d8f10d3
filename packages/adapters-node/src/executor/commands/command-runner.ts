import type { SandboxState, WorkMode } from '@gemini-mcp/core';
import type { RealRoots } from '../../files/real-roots.ts';
import { type CommandLimits, usualCommandLimits } from './command-limits.ts';
import { prepareCommand } from './prepare-command.ts';
import { createRunPlace, type RunPlace } from './run-place.ts';
import type { SandboxSearch } from './sandbox/command-sandbox.ts';
import { findSandbox } from './sandbox/find-sandbox.ts';
import { WorkspaceCommands } from './workspace-commands.ts';

export type CommandRunnerOptions = {
  /** Private; holds what runs keep for a while. `RunSweeper` clears there what a killed server leaves. */
  readonly runsDirectory: string;
  /** Directories of programs outside of the system's own places: absolute, read-only in the sandbox. */
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
  #search: Promise<SandboxSearch> | undefined;

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
            limits: this.#limits,
            toolPaths: this.#options.toolPaths ?? [],
            environment: this.#options.environment,
          },
          signal,
        ),
      clear: async () => (await place?.catch(() => null))?.remove(),
    });
  }

  async #find(): Promise<SandboxSearch> {
    const { programDirectories: directories } = this.#options;
    // Not by the signal of one call: others wait for the same.
    this.#search ??= findSandbox({ ...(directories && { directories }) }, new AbortController().signal);
    return this.#search;
  }
}
