import type { Clock, GeminiRunner, RunEvent, RunnerCapabilities, RunRequest } from '@gemini-mcp/core';
import { cliMaxInputBytes, cliMaxInputCharacters } from './cli-limits.ts';
import type { Environment } from './environment/child-environment.ts';
import { GeminiCliFinder } from './finding/gemini-cli-finder.ts';
import type { GeminiCli } from './finding/gemini-cli-location.ts';
import { runPlaceOptions } from './given-directory/run-place.ts';
import { CliRun } from './headless/cli-run.ts';
import { frameLength } from './message/literal-channel.ts';
import { cliMediaTypes, maxMediaBytes } from './message/media-files.ts';
import { refuseRequest } from './refuse-request.ts';
import type { RunLimit } from './run-limit.ts';
import type { RunReport } from './run-report.ts';
import { withGeminiCli } from './with-gemini-cli.ts';
import { withinLimit } from './within-limit.ts';

export type CliGeminiRunnerOptions = {
  readonly clock: Clock;
  /** The server's own environment: what of it a run may see is decided here. */
  readonly environment: Environment;
  /** Private directory for the runs; made when it does not exist. */
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory, where a login lies. */
  readonly userDirectory: string;
  /** Real paths of directories at or below which a run may be given a directory; none when it is missing. Never resolved again. */
  readonly roots?: readonly string[];
  /**
   * Real paths of directories at or below which a run takes place in the given directory itself, with the settings, commands,
   * hooks and GEMINI.md that it holds; none when it is missing.
   */
  readonly trustedDirectories?: readonly string[];
  /** Absolute directories that no run takes place in or gets a copy of, such as stores; `runsDirectory` always is one. */
  readonly privateDirectories?: readonly string[];
  /** Told when the CLI has been found; again when it is gone from there and was found anew. */
  readonly onCliFound?: (cli: GeminiCli) => void;
  /** Finds the CLI, where another runner is to find the same one; its own when it is missing. */
  readonly finder?: GeminiCliFinder;
  /** Told of each process that is started for a run, and of what becomes of it; must not throw. */
  readonly onRun?: (report: RunReport) => void;
};

/** Runs the Gemini CLI in headless mode, one contained process a request, from a private workspace. */
export class CliGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities = {
    name: 'headless',
    maxInputBytes: cliMaxInputBytes - frameLength,
    maxInputCharacters: cliMaxInputCharacters - frameLength,
    resume: true,
    tools: ['none', 'web-search', 'read-only', 'everything'],
    sandbox: true,
    systemPrompt: true,
    mediaTypes: cliMediaTypes,
    maxMediaBytes,
    warmStart: false,
    streaming: true,
    usage: true,
    keyOfCall: true,
  };
  readonly #options: CliGeminiRunnerOptions;
  readonly #finder: GeminiCliFinder;

  constructor(options: CliGeminiRunnerOptions) {
    this.#options = options;
    this.#finder = options.finder ?? new GeminiCliFinder(options);
  }

  /** Its end waits until everything of the run is gone. */
  run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const options = { clock: this.#options.clock, deadlineAtMs: request.deadlineAtMs };
    return withinLimit(options, (limit) => this.#runWithin(limit, request), signal);
  }

  async *#runWithin(limit: RunLimit, request: RunRequest): AsyncGenerator<RunEvent> {
    const refused = refuseRequest(request, this.capabilities);
    if (refused !== null) {
      yield refused;
      return;
    }
    const { programs } = this.#finder;
    const options = { ...this.#options, ...runPlaceOptions(this.#options), programs, request };
    yield* withGeminiCli(this.#finder, (cli) => new CliRun({ ...options, cli }).events(limit), limit);
  }
}
