import { join } from 'node:path';
import {
  ChoosingGeminiRunner,
  type Clock,
  type GeminiRunner,
  plainRunSettings,
  type RunEvent,
  type RunNeeds,
  type RunnerCapabilities,
  type RunRequest,
} from '@gemini-mcp/core';
import { SystemClock } from '../clock/system-clock.ts';
import { findRealPath } from '../files/pin-paths.ts';
import { CliGeminiRunner, type CliGeminiRunnerOptions } from '../gemini-cli/cli-gemini-runner.ts';
import { GeminiCliFinder } from '../gemini-cli/finding/gemini-cli-finder.ts';
import { RunSweeper } from '../gemini-cli/run-directory/run-sweeper.ts';
import { WarmGeminiRunner } from '../gemini-cli/warm/warm-gemini-runner.ts';
import { closeBeforeExit } from './close-before-exit.ts';
import type { GeminiPlace } from './find-place.ts';

export type EmbeddedRunnerOptions = {
  readonly place: GeminiPlace;
  /** The machine's when it is missing. */
  readonly clock: Clock | undefined;
  /** For requests that bring none; null for the login that the CLI has. */
  readonly apiKey: string | null;
  readonly allowsGoogleLogs: boolean | undefined;
};

/**
 * The Gemini CLI, warm where it suits and headless elsewhere, for a program that is to end when it has its answers: no process and
 * no timer keeps it alive between calls. With the first run it clears away what a program left that was killed.
 */
export class EmbeddedRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities;
  readonly #runner: GeminiRunner;
  readonly #warm: WarmGeminiRunner;
  readonly #sweeper: RunSweeper;
  readonly #apiKey: string | null;
  #hasRun = false;
  #forget: () => void = () => undefined;

  constructor({ place, clock = new SystemClock(), apiKey, allowsGoogleLogs = false }: EmbeddedRunnerOptions) {
    this.#apiKey = apiKey;
    const options = { ...runnerOptions(place, clock), allowsGoogleLogs };
    const processClock = clock instanceof SystemClock ? new SystemClock({ keepsAlive: false }) : clock;
    this.#warm = new WarmGeminiRunner({ ...options, processClock });
    this.#runner = new ChoosingGeminiRunner({
      clock,
      runners: [this.#warm, new CliGeminiRunner(options)],
      preference: 'auto',
    });
    this.capabilities = this.#runner.capabilities;
    this.#sweeper = new RunSweeper(options);
  }

  capabilitiesFor(needs: RunNeeds): RunnerCapabilities {
    return this.#runner.capabilitiesFor?.(needs) ?? this.capabilities;
  }

  run(request: RunRequest, signal: AbortSignal): AsyncIterable<RunEvent> {
    if (!this.#hasRun) {
      this.#hasRun = true;
      this.#forget = closeBeforeExit(this);
      void this.#sweeper.sweep();
    }
    const { settings = plainRunSettings } = request;
    const apiKey = settings.apiKey ?? this.#apiKey;
    return this.#runner.run({ ...request, settings: { ...settings, apiKey } }, signal);
  }

  /** Ends all processes. Resolves when nothing is left of them. */
  async close(): Promise<void> {
    this.#forget();
    await this.#warm.close();
  }
}

function runnerOptions(place: GeminiPlace, clock: Clock): CliGeminiRunnerOptions {
  const { environment, home, stateDirectory, workingDirectory, roots, noRootBecause } = place;
  const runsDirectory = join(stateDirectory, 'runs');
  const userDirectory = join(home, '.gemini');
  const all = [workingDirectory, ...roots];
  return {
    clock,
    environment,
    runsDirectory,
    // No program of a project is run, not even of one whose files may not be read.
    finder: new GeminiCliFinder({ environment, runsDirectory, userDirectory, roots: all }),
    userDirectory,
    roots: noRootBecause === null ? all.map(findRealPath) : [],
    privateDirectories: [stateDirectory],
  };
}
