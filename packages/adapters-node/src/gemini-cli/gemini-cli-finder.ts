import { access } from 'node:fs/promises';
import type { Environment } from './child-environment.ts';
import type { GeminiCli, GeminiCliLocation } from './gemini-cli-location.ts';
import { locateGeminiCli } from './locate-gemini-cli.ts';
import { SharedTask } from './shared-task.ts';

export type GeminiCliFinderOptions = {
  readonly environment: Environment;
  /** Told when the CLI has been found; again when it is gone from there and was found anew. */
  readonly onCliFound?: (cli: GeminiCli) => void;
};

/** Finds the Gemini CLI once for all who run it. */
export class GeminiCliFinder {
  readonly #options: GeminiCliFinderOptions;
  readonly #search: SharedTask<GeminiCliLocation>;
  #known: GeminiCliLocation | undefined;

  constructor(options: GeminiCliFinderOptions) {
    this.#options = options;
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

  async #locateAndTell(signal: AbortSignal): Promise<GeminiCliLocation> {
    const { environment, onCliFound } = this.#options;
    const location = await locateGeminiCli({ environment }, signal);
    if (location.found) {
      this.#known = location;
      onCliFound?.(location.cli);
    }
    return location;
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
