import {
  type Clock,
  plainRunSettings,
  type RunEnd,
  type RunEvent,
  type RunRequest,
  type RunSettings,
} from '@gemini-mcp/core';
import { keepFromChildrenPiece } from '../../inside-the-cli/keep-from-children.ts';
import {
  buildPreload,
  type PreloadPiece,
  preloadPiece,
  preloadVariables,
  withPreload,
} from '../../inside-the-cli/preload.ts';
import { reportModelCallsPiece } from '../../inside-the-cli/report-model-calls.ts';
import { writeWholeOutput } from '../../inside-the-cli/write-whole-output.ts';
import type { ProgramPath } from '../../programs/program-path.ts';
import { buildChildEnvironment, type Environment, withOwnKey } from '../environment/child-environment.ts';
import { detectAuthType } from '../environment/cli-login.ts';
import { createRunRedactor } from '../environment/create-run-redactor.ts';
import { addUserEnvironment } from '../environment/user-environment.ts';
import { failRun, failRunFor } from '../fail-run.ts';
import type { GeminiCli } from '../finding/gemini-cli-location.ts';
import { copyDirectory, copyLimits } from '../given-directory/copy-directory.ts';
import { choosePlace, copyRoots, type RunPlace } from '../given-directory/run-place.ts';
import { frameInput } from '../message/literal-channel.ts';
import { missDirectory } from '../miss-directory.ts';
import type { CliOutcome } from '../reading/cli-outcome.ts';
import { refuseKey } from '../refuse-key.ts';
import { createRunDirectory, type RunDirectory } from '../run-directory/run-directory.ts';
import type { RunLimit } from '../run-limit.ts';
import type { RunReport } from '../run-report.ts';
import type { AuthType } from '../settings/cli-settings.ts';
import { boundReadingTools } from '../settings/run-confinement.ts';
import { findSandbox, isMountable, maxSandboxInputBytes, runtimeVariables } from '../settings/sandbox.ts';
import { type HeadlessRunOptions, runHeadless } from './run-headless.ts';
import { copyTarget, planRun } from './run-plan.ts';

export type CliRunOptions = {
  readonly clock: Clock;
  readonly environment: Environment;
  readonly runsDirectory: string;
  readonly userDirectory: string;
  readonly roots: readonly string[];
  readonly trustedDirectories: readonly string[];
  readonly privateDirectories: readonly string[];
  readonly cli: GeminiCli;
  /** Where the run looks for programs. */
  readonly programs: ProgramPath;
  readonly request: RunRequest;
  readonly onRun?: (report: RunReport) => void;
};

/** What is known once it is clear that there will be a run. */
type Prepared = {
  readonly directory: RunDirectory;
  readonly place: Exclude<RunPlace, { readonly kind: 'refused' }>;
  readonly environment: Environment;
  readonly authType: AuthType;
};

type PreparedRun = Omit<HeadlessRunOptions, 'onOutcome'>;

const nowhere: Prepared['place'] = { kind: 'nowhere' };

const alwaysPreloaded = [
  keepFromChildrenPiece(),
  preloadPiece(writeWholeOutput, {}),
  reportModelCallsPiece('stream-json'),
];

/** One request, carried by a CLI that was found. */
export class CliRun {
  readonly #options: CliRunOptions;
  readonly #settings: RunSettings;

  constructor(options: CliRunOptions) {
    this.#options = options;
    this.#settings = options.request.settings ?? plainRunSettings;
  }

  async *events(limit: RunLimit): AsyncGenerator<RunEvent> {
    const obstacle = refuseKey(this.#settings.apiKey) ?? (await this.#refuseSandbox());
    if (obstacle !== null) {
      yield obstacle;
      return;
    }
    const place = await choosePlace(this.#settings, this.#options);
    if (place.kind !== 'refused') {
      yield* this.#runAt(place, limit);
      return;
    }
    const told = missDirectory(place.detail, this.#settings);
    yield told;
    if (told.type === 'notice') {
      yield* this.#runAt(nowhere, limit);
    }
  }

  async *#runAt(place: Prepared['place'], limit: RunLimit): AsyncGenerator<RunEvent> {
    let directory: RunDirectory;
    const { runsDirectory, userDirectory } = this.#options;
    try {
      const loginDirectory = this.#settings.apiKey === null ? userDirectory : null;
      directory = await createRunDirectory({ runsDirectory, loginDirectory });
    } catch (error) {
      yield failRunFor(error);
      return;
    }
    try {
      yield* this.#runIn(directory, place, limit);
    } finally {
      await directory.remove();
    }
  }

  async #refuseSandbox(): Promise<RunEnd | null> {
    if (!this.#settings.sandbox) {
      return null;
    }
    const actual = Buffer.byteLength(this.#options.request.input, 'utf8');
    if (actual > maxSandboxInputBytes) {
      const refusal = { measure: 'bytes', actual, limit: maxSandboxInputBytes } as const;
      return failRun({ kind: 'context-too-large', refusal, excerpt: '' });
    }
    const { runsDirectory } = this.#options;
    if (!isMountable(runsDirectory)) {
      const excerpt = `${runsDirectory} has a comma or a colon in its name: no container can be shown it`;
      return failRun({ kind: 'configuration', excerpt });
    }
    const runtime = await findSandbox(this.#options.programs);
    return runtime === null
      ? failRun({ kind: 'sandbox-missing', excerpt: 'neither docker nor podman was found' })
      : null;
  }

  async *#runIn(directory: RunDirectory, place: Prepared['place'], limit: RunLimit): AsyncGenerator<RunEvent> {
    const { apiKey } = this.#settings;
    let run: PreparedRun;
    try {
      const environment = withOwnKey(await addUserEnvironment(this.#options), apiKey);
      const authType =
        apiKey === null ? await detectAuthType({ ...this.#options, environment }) : ('gemini-api-key' as const);
      const obstacle = place.kind === 'copy' ? await this.#copy(place.directory, directory, limit) : null;
      if (obstacle !== null) {
        yield obstacle;
      }
      if (obstacle?.type === 'failure') {
        return;
      }
      run = await this.#prepare({ directory, place: obstacle === null ? place : nowhere, environment, authType });
    } catch (error) {
      yield failRunFor(error);
      return;
    }
    yield* this.#reported(run, limit);
  }

  async *#reported(run: PreparedRun, limit: RunLimit): AsyncGenerator<RunEvent> {
    const { clock, request, onRun = () => undefined } = this.#options;
    const { model, input } = request;
    const { command, cwd, environment, directory } = run;
    const { runId } = directory;
    const startedAtMs = clock.now();
    onRun({ type: 'started', runId, model, command, directory: cwd, environment, input });
    // What stands there when nobody listened to the end.
    let end: RunEnd = failRun({ kind: 'cancelled' });
    let outcome: CliOutcome | null = null;
    const onOutcome = (told: CliOutcome): void => {
      outcome = told;
    };
    try {
      for await (const event of runHeadless({ ...run, onOutcome }, limit)) {
        if (event.type === 'text') {
          onRun({ type: 'text', runId, text: event.text });
        }
        end = event.type === 'answer' || event.type === 'failure' ? event : end;
        yield event;
      }
    } finally {
      onRun({ type: 'ended', runId, model, durationMs: clock.now() - startedAtMs, end, outcome });
    }
  }

  async #copy(
    from: string,
    { root }: RunDirectory,
    limit: RunLimit,
  ): Promise<Extract<RunEvent, { readonly type: 'notice' | 'failure' }> | null> {
    const { clock, request, privateDirectories } = this.#options;
    const { deadlineAtMs } = request;
    try {
      const roots = copyRoots(this.#settings, this.#options);
      const to = copyTarget(root);
      const options = { clock, deadlineAtMs, from, roots, privateDirectories, to, limits: copyLimits };
      const result = await copyDirectory(options, limit.signal);
      if (!result.copied && clock.now() >= deadlineAtMs) {
        return failRun({ kind: 'timeout' });
      }
      return result.copied ? null : missDirectory(`${from} ${result.detail}`, this.#settings);
    } catch (error) {
      if (limit.signal.aborted) {
        return failRun(limit.failure);
      }
      throw error;
    }
  }

  async #prepare({ directory, place, environment, authType }: Prepared): Promise<PreparedRun> {
    const { cli, programs, request } = this.#options;
    const plan = planRun(request, this.#settings, { directory, place, authType });
    const childEnvironment = buildChildEnvironment({
      environment,
      path: await programs.forChildren(),
      homeDirectory: directory.home,
      temporaryDirectory: directory.temporary,
      variables: {
        ...(this.#settings.sandbox ? runtimeVariables(environment) : preloadVariables(cli.command, directory.root)),
        ...plan.variables,
      },
    });
    const bounds = this.#boundTools({ directory, place, environment: childEnvironment, authType });
    await directory.write([...plan.files, buildPreload([...alwaysPreloaded, ...bounds])]);
    const { file, arguments: words } = withPreload(cli.command, directory.root);
    return {
      command: { file, arguments: [...words, ...plan.arguments] },
      directory,
      environment: childEnvironment,
      cwd: plan.cwd,
      isGiven: place.kind === 'trusted',
      input: frameInput(request.input),
      endsByItself: this.#settings.sandbox,
      redact: createRunRedactor({ ...this.#options, root: directory.root, environment }),
    };
  }

  /** In a container the tools see what it is shown, and the process out here has none. */
  #boundTools({ place, ...prepared }: Prepared): readonly PreloadPiece[] {
    const { tools, sandbox, apiKey } = this.#settings;
    const { userDirectory, privateDirectories } = this.#options;
    const readsFiles = tools === 'read-only' && place.kind !== 'nowhere' && !sandbox;
    const loginDirectory = apiKey === null ? userDirectory : null;
    const isTrusted = place.kind === 'trusted';
    return readsFiles ? boundReadingTools({ ...prepared, isTrusted, privateDirectories, loginDirectory }) : [];
  }
}
