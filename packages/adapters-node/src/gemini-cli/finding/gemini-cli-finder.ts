import { access } from 'node:fs/promises';
import { type PassedOver, ProgramPath } from '../../programs/program-path.ts';
import type { Environment } from '../environment/child-environment.ts';
import type { GeminiCli, GeminiCliLocation } from './gemini-cli-location.ts';
import { locateGeminiCli } from './locate-gemini-cli.ts';
import { SharedTask } from './shared-task.ts';

export type GeminiCliFinderOptions = {
  readonly environment: Environment;
  /** Private directory for the runs, in which npx gets an empty project; made when it is needed. */
  readonly runsDirectory: string;
  /** Directories that calls may read: no program in them is run. None when it is missing. */
  readonly roots?: readonly string[];
  /** Told when the CLI has been found; again when it is gone from there and was found in another place. */
  readonly onCliFound?: (cli: GeminiCli) => void;
  /** Told once of each program that PATH leads to, that could have been the CLI and is not run. */
  readonly onPassedOver?: (passedOver: PassedOver) => void;
};

/** Finds the Gemini CLI once for all runners, and says where its runs look for programs. */
export class GeminiCliFinder {
  readonly programs: ProgramPath;
  readonly #options: GeminiCliFinderOptions;
  readonly #search: SharedTask<GeminiCliLocation>;
  readonly #told = new Set<string>();
  #known: GeminiCliLocation | undefined;
  #hasLooked = false;
  /** How often directories were excluded: what a search began to look for before is not remembered. */
  #excluded = 0;

  constructor(options: GeminiCliFinderOptions) {
    this.#options = options;
    this.programs = new ProgramPath(options);
    this.#search = new SharedTask((signal) => this.#locateAndTell(signal));
  }

  /**
   * Remembers what was found for as long as it is there; what was not is looked for again, it may have been installed.
   * Resolves to null on abort.
   */
  async find(signal: AbortSignal): Promise<GeminiCliLocation | null> {
    const known = this.#known;
    if (known?.found === true && !signal.aborted && (await isThere(known.cli.path))) {
      return known;
    }
    return this.#search.join(signal);
  }

  /** Runs nothing from these directories either, from now on: a CLI that was found in one is looked for elsewhere. */
  exclude(roots: readonly string[]): void {
    if (this.programs.exclude(roots)) {
      this.#known = undefined;
      this.#excluded += 1;
    }
  }

  async #locateAndTell(signal: AbortSignal): Promise<GeminiCliLocation> {
    const { environment, runsDirectory, onCliFound } = this.#options;
    const { programs } = this;
    if (this.#hasLooked) {
      programs.renew();
    }
    this.#hasLooked = true;
    const excluded = this.#excluded;
    const location = await locateGeminiCli({ environment, programs, runsDirectory }, signal);
    this.#tell(location.passedOver);
    if (location.found) {
      this.#known = excluded === this.#excluded ? location : undefined;
      onCliFound?.(location.cli);
    }
    return location;
  }

  #tell(passedOver: readonly PassedOver[]): void {
    const untold = passedOver.filter(({ path }) => !this.#told.has(path));
    for (const each of untold) {
      this.#told.add(each.path);
      this.#options.onPassedOver?.(each);
    }
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
