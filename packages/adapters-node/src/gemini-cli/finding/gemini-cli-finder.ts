import { access } from 'node:fs/promises';
import type { Environment } from '../../processes/programs/child-environment.ts';
import { type PassedOver, ProgramPath } from '../../processes/programs/program-path.ts';
import { detectAuthType } from '../environment/cli-login.ts';
import { addUserEnvironment } from '../environment/user-environment.ts';
import { untilAborted } from '../until-aborted.ts';
import { type GeminiCli, type GeminiCliLocation, type LocateOptions, locateGeminiCli } from './locate-gemini-cli.ts';

export type GeminiCliFinderOptions = {
  readonly environment: Environment;
  /** Private directory for the runs, in which npx gets an empty project; created on demand. */
  readonly runsDirectory: string;
  /** Directories that calls may read: no program in them is run. None if missing. */
  readonly roots?: readonly string[];
  /** Whether npx may fetch a CLI that is not installed; true if missing. `GEMINI_MCP_CLI=npx` requests that as well. */
  readonly mayFetch?: boolean;
  /** The user's `.gemini` directory. npx fetches nothing before a login is known: from there, the environment, or a call. */
  readonly userDirectory?: string;
  /** Called with the CLI's location once found, and again if it later turns up elsewhere. */
  readonly onCliFound?: (cli: GeminiCli) => void;
  /** Called once for each program on PATH that could have been the CLI and was skipped. */
  readonly onPassedOver?: (passedOver: PassedOver) => void;
};

/** A search in progress. */
type Search = {
  readonly location: Promise<GeminiCliLocation>;
  readonly controller: AbortController;
  /** Called before npx starts, one callback per caller. */
  readonly waiting: Set<() => void>;
  isFetching: boolean;
};

type FindingPlaces = Pick<LocateOptions, 'nodePath' | 'sharedDirectories'>;

const fetching =
  'Fetching the Gemini CLI with npx because it is not installed: the first time, this downloads about 120 MB and can take minutes.';

/** Finds the Gemini CLI once for all runners, and provides the search path for its runs. */
export class GeminiCliFinder {
  readonly programs: ProgramPath;
  readonly #options: GeminiCliFinderOptions;
  readonly #places: FindingPlaces;
  readonly #told = new Set<string>();
  #known: GeminiCliLocation | undefined;
  #search: Search | undefined;
  #hasLooked = false;
  #callBroughtLogin = false;
  /** Counts exclusions of directories: a search that began before the latest one does not store its result. */
  #excluded = 0;

  constructor(options: GeminiCliFinderOptions);
  /** @internal */
  constructor(options: GeminiCliFinderOptions, places: FindingPlaces);
  constructor(options: GeminiCliFinderOptions, places: FindingPlaces = {}) {
    this.#options = options;
    this.#places = places;
    this.programs = new ProgramPath(options);
  }

  /**
   * Remembers the location while the CLI is there; looks again for a missing CLI, which may have been installed meanwhile. Concurrent
   * callers share one search, which goes on while one of them waits. `onStatus` gets one line before npx fetches the CLI, even if another
   * caller started that; it must not throw. On abort, resolves to null: at once, or for the last caller when no process of the search is
   * left.
   */
  async find(onStatus: (text: string) => void, signal: AbortSignal): Promise<GeminiCliLocation | null> {
    if (signal.aborted) {
      return null;
    }
    const known = this.#known;
    if (known?.found === true && (await isThere(known.cli.path))) {
      return known;
    }
    this.#search ??= this.#begin();
    const search = this.#search;
    // A separate function for each caller, even if callers share one.
    const onFetch = (): void => onStatus(fetching);
    search.waiting.add(onFetch);
    if (search.isFetching) {
      onFetch();
    }
    try {
      return await untilAborted(search.location, signal);
    } finally {
      search.waiting.delete(onFetch);
      if (search.waiting.size === 0) {
        this.#forget(search);
        search.controller.abort();
        await search.location;
      }
    }
  }

  /** Records that a call brought its own login: from now on npx may fetch the CLI. */
  sawLogin(): void {
    this.#callBroughtLogin = true;
  }

  /** Excludes these directories from now on: a CLI found in one of them is looked for elsewhere. */
  exclude(roots: readonly string[]): void {
    if (this.programs.exclude(roots)) {
      this.#known = undefined;
      this.#excluded += 1;
    }
  }

  #begin(): Search {
    const controller = new AbortController();
    const waiting = new Set<() => void>();
    const onFetch = (): void => {
      search.isFetching = true;
      for (const tell of waiting) {
        tell();
      }
    };
    const location = this.#locate(onFetch, controller.signal).finally(() => this.#forget(search));
    const search: Search = { location, controller, waiting, isFetching: false };
    return search;
  }

  #forget(search: Search): void {
    if (this.#search === search) {
      this.#search = undefined;
    }
  }

  async #locate(onFetch: () => void, signal: AbortSignal): Promise<GeminiCliLocation> {
    const { environment, runsDirectory, mayFetch = true, onCliFound } = this.#options;
    const { programs } = this;
    if (this.#hasLooked) {
      programs.renew();
    }
    this.#hasLooked = true;
    const excluded = this.#excluded;
    const hasLogin = async (): Promise<boolean> => this.#callBroughtLogin || (await this.hasLogin());
    const options = { ...this.#places, mayFetch, hasLogin, environment, programs, runsDirectory, onFetch };
    const location = await locateGeminiCli(options, signal);
    this.#tell(location.passedOver);
    if (location.found) {
      this.#known = excluded === this.#excluded ? location : undefined;
      onCliFound?.(location.cli);
    }
    return location;
  }

  /** Whether the environment or the user's home names a login for the CLI. True without a `userDirectory`. */
  async hasLogin(): Promise<boolean> {
    const { environment, userDirectory } = this.#options;
    if (userDirectory === undefined) {
      return true;
    }
    const variables = addUserEnvironment({ environment, userDirectory });
    return detectAuthType({ environment: variables, userDirectory }) !== null;
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
