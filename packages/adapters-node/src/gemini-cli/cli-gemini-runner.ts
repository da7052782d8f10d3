import type { Clock, GeminiRunner, RunEvent, RunnerCapabilities, RunOutcome, RunRequest } from '@gemini-mcp/core';
import { createRedactor } from '../process/redact-secrets.ts';
import { buildChildEnvironment, secretValues } from './child-environment.ts';
import { buildCliArguments } from './cli-arguments.ts';
import { cliMaxInputBytes, cliMaxInputCharacters } from './cli-limits.ts';
import { detectAuthType } from './cli-login.ts';
import type { GeminiCli, GeminiCliLocation } from './gemini-cli-location.ts';
import { frameInput, frameLength } from './literal-channel.ts';
import { locateGeminiCli } from './locate-gemini-cli.ts';
import { outcomeWithoutRun, refuseInput } from './outcome-without-run.ts';
import { createRunDirectory, type RunDirectory } from './run-directory.ts';
import { runHeadless } from './run-headless.ts';

export type CliGeminiRunnerOptions = {
  readonly clock: Clock;
  /** The server's own environment: what of it a run may see is decided here. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Private directory for the runs; made when it does not exist. */
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory, where a login lies. */
  readonly userDirectory: string;
  /** Told once, when the CLI has been found. */
  readonly onCliFound?: (cli: GeminiCli) => void;
};

/** Runs the Gemini CLI in headless mode, one contained process a request, from a private workspace. */
export class CliGeminiRunner implements GeminiRunner {
  readonly capabilities: RunnerCapabilities = {
    name: 'headless',
    maxInputBytes: cliMaxInputBytes - frameLength,
    maxInputCharacters: cliMaxInputCharacters - frameLength,
    resume: false,
    toolControl: false,
    warmStart: false,
  };
  readonly #options: CliGeminiRunnerOptions;
  #location: Promise<GeminiCliLocation> | undefined;

  constructor(options: CliGeminiRunnerOptions) {
    this.#options = options;
  }

  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const refusal = refuseInput(request.input, this.capabilities);
    if (refusal !== null) {
      yield outcomeWithoutRun({ termination: 'refused', refusal });
      return;
    }
    if (signal.aborted) {
      yield outcomeWithoutRun({ termination: 'cancelled' });
      return;
    }
    const location = await this.#locate(signal);
    if (!location.found) {
      const termination = signal.aborted ? 'cancelled' : 'not-started';
      yield outcomeWithoutRun({ termination, startError: { code: 'cli-missing', detail: location.detail } });
      return;
    }
    yield* this.#runIn(location.cli, request, signal);
  }

  async *#runIn(cli: GeminiCli, request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    let directory: RunDirectory;
    try {
      directory = await this.#createDirectory();
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      yield outcomeWithoutRun({ termination: 'not-started', startError: { code: 'workspace', detail } });
      return;
    }
    let outcome: RunOutcome | undefined;
    try {
      for await (const event of this.#runHeadless(cli, directory, request, signal)) {
        if (event.type === 'outcome') {
          outcome = event.outcome;
        } else {
          yield event;
        }
      }
    } finally {
      await directory.remove();
    }
    if (outcome !== undefined) {
      yield { type: 'outcome', outcome };
    }
  }

  #runHeadless(
    cli: GeminiCli,
    directory: RunDirectory,
    request: RunRequest,
    signal: AbortSignal,
  ): AsyncIterable<RunEvent> {
    const { clock, environment } = this.#options;
    const { model, deadlineAtMs } = request;
    return runHeadless(
      {
        clock,
        command: {
          file: cli.command.file,
          arguments: [...cli.command.arguments, ...buildCliArguments({ model, policyFile: directory.policyFile })],
        },
        directory,
        environment: buildChildEnvironment({
          environment,
          homeDirectory: directory.home,
          temporaryDirectory: directory.temporary,
        }),
        input: frameInput(request.input),
        deadlineAtMs,
        redact: createRedactor(secretValues(environment)),
      },
      signal,
    );
  }

  async #createDirectory(): Promise<RunDirectory> {
    const { environment, runsDirectory, userDirectory } = this.#options;
    const authType = await detectAuthType({ environment, userDirectory });
    return createRunDirectory({ runsDirectory, userDirectory, authType });
  }

  /** Looks once and remembers what was found; what was not is looked for again, it may have been installed. */
  async #locate(signal: AbortSignal): Promise<GeminiCliLocation> {
    this.#location ??= this.#locateAndTell(signal);
    const location = await this.#location;
    if (!location.found) {
      this.#location = undefined;
    }
    return location;
  }

  async #locateAndTell(signal: AbortSignal): Promise<GeminiCliLocation> {
    const { environment, onCliFound } = this.#options;
    const location = await locateGeminiCli({ environment }, signal);
    if (location.found) {
      onCliFound?.(location.cli);
    }
    return location;
  }
}
