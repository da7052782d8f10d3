import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, GeminiRunner, RunEvent, RunnerCapabilities, RunRequest } from '@gemini-mcp/core';
import { createRedactor } from '../process/redact-secrets.ts';
import { trustedPath } from '../process/search-path.ts';
import { buildChildEnvironment, type Environment, searchPathOf, secretValues } from './child-environment.ts';
import { buildCliArguments } from './cli-arguments.ts';
import { cliMaxInputBytes, cliMaxInputCharacters } from './cli-limits.ts';
import { detectAuthType } from './cli-login.ts';
import type { GeminiCli, GeminiCliLocation } from './gemini-cli-location.ts';
import { hideDirectories } from './hide-directories.ts';
import { frameInput, frameLength } from './literal-channel.ts';
import { locateGeminiCli } from './locate-gemini-cli.ts';
import { notStarted, outcomeWithoutRun, refuseInput } from './outcome-without-run.ts';
import { createRunDirectory, type RunDirectory } from './run-directory.ts';
import { type HeadlessRunOptions, runHeadless } from './run-headless.ts';
import { RunLimit } from './run-limit.ts';
import { SharedTask } from './shared-task.ts';
import { addUserEnvironment } from './user-environment.ts';

export type CliGeminiRunnerOptions = {
  readonly clock: Clock;
  /** The server's own environment: what of it a run may see is decided here. */
  readonly environment: Environment;
  /** Private directory for the runs; made when it does not exist. */
  readonly runsDirectory: string;
  /** The user's own `.gemini` directory, where a login lies. */
  readonly userDirectory: string;
  /** Told when the CLI has been found; again when it is gone from there and was found anew. */
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
    systemPrompt: false,
    mediaTypes: [],
    maxMediaBytes: 0,
    warmStart: false,
  };
  readonly #options: CliGeminiRunnerOptions;
  readonly #search: SharedTask<GeminiCliLocation>;
  #known: GeminiCliLocation | undefined;

  constructor(options: CliGeminiRunnerOptions) {
    this.#options = options;
    this.#search = new SharedTask((signal) => this.#locateAndTell(signal));
  }

  /** The outcome waits until everything of the run is gone. */
  async *run(request: RunRequest, signal: AbortSignal): AsyncGenerator<RunEvent> {
    const limit = new RunLimit({ clock: this.#options.clock, deadlineAtMs: request.deadlineAtMs }, signal);
    let outcome: RunEvent | undefined;
    try {
      for await (const event of this.#runWithin(limit, request)) {
        if (event.type === 'outcome') {
          outcome = event;
        } else {
          yield event;
        }
      }
    } finally {
      await limit.release();
    }
    if (outcome !== undefined) {
      yield outcome;
    }
  }

  async *#runWithin(limit: RunLimit, request: RunRequest): AsyncGenerator<RunEvent> {
    const refusal = refuseInput(request.input, this.capabilities);
    if (refusal !== null) {
      yield outcomeWithoutRun({ termination: 'refused', refusal });
      return;
    }
    const location = await this.#locate(limit.signal);
    if (location === null) {
      yield outcomeWithoutRun({ termination: limit.termination });
      return;
    }
    if (!location.found) {
      yield notStarted('cli-missing', location.detail);
      return;
    }
    yield* this.#runFound(location.cli, request, limit);
  }

  async *#runFound(cli: GeminiCli, request: RunRequest, limit: RunLimit): AsyncGenerator<RunEvent> {
    const { runsDirectory, userDirectory } = this.#options;
    const environment = await addUserEnvironment(this.#options);
    const authType = await detectAuthType({ environment, userDirectory });
    let directory: RunDirectory;
    try {
      directory = await createRunDirectory({ runsDirectory, userDirectory, authType });
    } catch (error) {
      yield notStarted('workspace', error instanceof Error ? error.message : String(error));
      return;
    }
    try {
      yield* runHeadless(await this.#prepare(directory, { cli, environment, request }), limit);
    } finally {
      await directory.remove();
    }
  }

  async #prepare(directory: RunDirectory, { cli, environment, request }: Call): Promise<HeadlessRunOptions> {
    const { policyFile, home, temporary } = directory;
    const flags = buildCliArguments({ model: request.model, policyFile });
    return {
      command: { file: cli.command.file, arguments: [...cli.command.arguments, ...flags] },
      directory,
      environment: buildChildEnvironment({
        environment,
        path: await trustedPath(searchPathOf(environment)),
        homeDirectory: home,
        temporaryDirectory: temporary,
      }),
      input: frameInput(request.input),
      redact: this.#createRedactor(directory, environment),
    };
  }

  /** For what the CLI says: without secrets, and without where things lie on this machine. */
  #createRedactor({ workspace }: RunDirectory, environment: Environment): (text: string) => string {
    const hide = hideDirectories([
      { path: dirname(workspace), shownAs: '(run)' },
      { path: dirname(this.#options.userDirectory), shownAs: '~' },
    ]);
    const redactSecrets = createRedactor(secretValues(environment));
    return (text) => hide(redactSecrets(text));
  }

  /** Remembers what was found for as long as it is there; what was not is looked for again, it may have been installed. */
  async #locate(signal: AbortSignal): Promise<GeminiCliLocation | null> {
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

type Call = {
  readonly cli: GeminiCli;
  readonly environment: Environment;
  readonly request: RunRequest;
};

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
