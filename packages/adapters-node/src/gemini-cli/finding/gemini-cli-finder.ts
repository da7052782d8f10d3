import { access } from 'node:fs/promises';
import type { Environment } from '../../processes/programs/child-environment.ts';
import { type PassedOver, ProgramPath } from '../../processes/programs/program-path.ts';
import { detectAuthType } from '../environment/cli-login.ts';
import { addUserEnvironment } from '../environment/user-environment.ts';
import { untilAborted } from '../until-aborted.ts';
import { type GeminiCli, type GeminiCliLocation, type LocateOptions, locateGeminiCli } from './locate-gemini-cli.ts';

export type GeminiCliFinderOptions = {
  readonly environment: Environment;
  /** Private directory for the runs, in which npx gets an empty project; made when it is needed. */
  readonly runsDirectory: string;
  /** Directories that calls may read: no program in them is run. None when it is missing. */
  readonly roots?: readonly string[];
  /**
   * Whether npx may be asked for a CLI that is not installed; it may when this is missing. `GEMINI_MCP_CLI=npx` asks for that as well.
   */
  readonly mayFetch?: boolean;
  /** The user's `.gemini` directory. npx is asked for nothing before a login was seen: there, in the environment, or with a call. */
  readonly userDirectory?: string;
  /** Told when the CLI has been found; again when it is gone from there and was found in another place. */
  readonly onCliFound?: (cli: GeminiCli) => void;
  /** Told once of each program that PATH leads to, that could have been the CLI and is not run. */
  readonly onPassedOver?: (passedOver: PassedOver) => void;
};

/** A search that is under way. */
type Search = {
  readonly location: Promise<GeminiCliLocation>;
  readonly controller: AbortController;
  /** Told before npx is asked, one for each caller. */
  readonly waiting: Set<() => void>;
  isFetching: boolean;
};

type FindingPlaces = Pick<LocateOptions, 'nodePath' | 'sharedDirectories'>;

const fetching =
  'Fetching the Gemini CLI by npx, because it is not installed: the first time this downloads about 120 MB and can take minutes.';

/** Finds the Gemini CLI once for all runners, and says where its runs look for programs. */
export class GeminiCliFinder {
  readonly programs: ProgramPath;
  readonly #options: GeminiCliFinderOptions;
  readonly #places: FindingPlaces;
  readonly #told = new Set<string>();
  #known: GeminiCliLocation | undefined;
  #search: Search | undefined;
  #hasLooked = false;
  #callBroughtLogin = false;
  /** How often directories were excluded: what a search began to look for before is not remembered. */
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
   * Remembers what was found for as long as it is there; a CLI that was missing is looked for again, it may have been installed.
   * Callers at the same time share one search, which goes on as long as one of them waits. `onStatus` gets one line before npx is
   * asked to fetch the CLI, also if another caller has begun that; it must not throw. Resolves to null on abort: at once, or for
   * the last caller when nothing of the search is running any more.
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
    // Its own for each caller, also if they share a function.
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

  /** A call has brought a login of its own: from now on npx may be asked to fetch the CLI. */
  sawLogin(): void {
    this.#callBroughtLogin = true;
  }

  /** Runs nothing from these directories either, from now on: a CLI that was found in one is looked for elsewhere. */
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

  /** Whether the environment or the user's home names a login that the CLI could use. True without a `userDirectory`. */
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
