import type { RunEnd, RunnerCapabilities, RunRequest, ToolSession } from '@gemini-mcp/core';
import { buildChildEnvironment, withOwnKey } from '../../processes/programs/child-environment.ts';
import { cliMaxInputBytes, cliMaxInputCharacters } from '../cli-limits.ts';
import { type CliRunDirectory, createCliRunDirectory } from '../cli-run-directory.ts';
import type { CliRun, CliTransport, CliTransportOptions, Tell } from '../cli-transport.ts';
import { detectAuthType } from '../environment/cli-login.ts';
import { createRunRedactor } from '../environment/create-run-redactor.ts';
import { addUserEnvironment } from '../environment/user-environment.ts';
import { failRun, failRunFor } from '../fail-run.ts';
import { keepFromChildrenPiece } from '../inside-the-cli/keep-from-children.ts';
import {
  buildPreload,
  preloadPiece,
  preloadVariables,
  withPreload,
  writeWholeOutput,
} from '../inside-the-cli/preload.ts';
import { reportModelCallsPiece } from '../inside-the-cli/report-model-calls.ts';
import { frameInput, frameLength } from '../message/literal-channel.ts';
import { cliMediaTypes, maxMediaBytes } from '../message/media-files.ts';
import type { RunLimit } from '../run-limit.ts';
import { loopbackVariables, withToolSession } from '../settings/model-tools.ts';
import { findCliSandbox, isMountable, maxSandboxInputBytes, runtimeVariables } from '../settings/sandbox.ts';
import { type HeadlessRunOptions, type HeadlessRunResult, runHeadless } from './run-headless.ts';
import { planRun } from './run-plan.ts';

const capabilities: RunnerCapabilities = {
  name: 'headless',
  maxInputBytes: cliMaxInputBytes - frameLength,
  maxInputCharacters: cliMaxInputCharacters - frameLength,
  resume: true,
  tools: ['none', 'web-search', 'everything'],
  sandbox: true,
  systemPrompt: true,
  mediaTypes: cliMediaTypes,
  maxMediaBytes,
  warmStart: false,
  streaming: true,
  usage: true,
  keyOfCall: true,
  backend: { by: 'Gemini CLI' },
};

/** Starts a process of the CLI for each request, in a private directory that is removed with it. */
export class HeadlessTransport implements CliTransport {
  readonly capabilities: RunnerCapabilities;
  readonly #options: CliTransportOptions;

  constructor(options: CliTransportOptions) {
    this.#options = options;
    this.capabilities = { ...capabilities, offersTools: options.loopbackToolServer !== undefined };
  }

  async carry(run: CliRun, tell: Tell, limit: RunLimit): Promise<RunEnd> {
    const { runsDirectory, userDirectory } = this.#options;
    const refused = await refuseSandbox(run, runsDirectory);
    if (refused !== null) {
      return refused;
    }
    const loginDirectory = run.settings.apiKey === null ? userDirectory : null;
    let directory: CliRunDirectory;
    try {
      directory = await createCliRunDirectory({ runsDirectory, loginDirectory });
    } catch (error) {
      return failRunFor(error);
    }
    const carry = (toolSession: ToolSession | null) => this.#carryIn(directory, { ...run, toolSession }, tell, limit);
    try {
      return await withToolSession({ ...this.#options, run, tell, carry }, limit);
    } finally {
      await directory.remove();
    }
  }

  async #carryIn(directory: CliRunDirectory, run: CliToolRun, tell: Tell, limit: RunLimit): Promise<RunEnd> {
    let prepared: HeadlessRunOptions;
    try {
      prepared = await prepareHeadlessRun({ ...this.#options, run, directory });
    } catch (error) {
      return failRunFor(error);
    }
    return await this.#runReported(prepared, run.request, tell, limit);
  }

  async #runReported(
    prepared: HeadlessRunOptions,
    { model, input }: RunRequest,
    tell: Tell,
    limit: RunLimit,
  ): Promise<RunEnd> {
    const { clock, onRun = () => undefined } = this.#options;
    const { command, cwd, environment, directory } = prepared;
    const { runId } = directory;
    const startedAtMs = clock.now();
    onRun({ type: 'started', runId, model, command, directory: cwd, environment, input });
    // Reported for a run that could not start.
    let result: HeadlessRunResult = { end: failRun({ kind: 'cancelled' }), outcome: null };
    const tellReported: Tell = (event) => {
      if (event.type === 'text') {
        onRun({ type: 'text', runId, text: event.text });
      }
      tell(event);
    };
    try {
      result = await runHeadless(prepared, tellReported, limit);
      return result.end;
    } finally {
      onRun({ type: 'ended', runId, model, durationMs: clock.now() - startedAtMs, ...result });
    }
  }
}

/** The end of a run whose sandbox is unavailable or cannot carry the request; null for any other run. */
async function refuseSandbox({ request, settings, programs }: CliRun, runsDirectory: string): Promise<RunEnd | null> {
  if (!settings.sandbox) {
    return null;
  }
  const actual = Buffer.byteLength(request.input, 'utf8');
  if (actual > maxSandboxInputBytes) {
    const refusal = { measure: 'bytes', actual, limit: maxSandboxInputBytes } as const;
    return failRun({ kind: 'context-too-large', refusal, excerpt: '' });
  }
  if (!isMountable(runsDirectory)) {
    const excerpt = `${runsDirectory} has a comma or a colon in its name: a container cannot mount it`;
    return failRun({ kind: 'configuration', excerpt });
  }
  const runtime = await findCliSandbox(programs);
  return runtime === null ? failRun({ kind: 'sandbox-missing', excerpt: 'neither docker nor podman was found' }) : null;
}

/** A run with its tool session; null if it offers no tools. */
type CliToolRun = CliRun & { readonly toolSession: ToolSession | null };

type PrepareOptions = Pick<CliTransportOptions, 'environment' | 'userDirectory' | 'allowsGoogleLogs'> & {
  readonly run: CliToolRun;
  readonly directory: CliRunDirectory;
};

const preload = buildPreload([
  keepFromChildrenPiece(),
  preloadPiece(writeWholeOutput, {}),
  reportModelCallsPiece('stream-json'),
]);

/** Writes the CLI's files into the directory of a run, and returns how to start the CLI. Rejects if writing fails. */
async function prepareHeadlessRun(options: PrepareOptions): Promise<HeadlessRunOptions> {
  const { run, directory, allowsGoogleLogs } = options;
  const { request, settings, cli, programs, place, toolSession } = run;
  const { apiKey, sandbox } = settings;
  const environment = withOwnKey(addUserEnvironment(options), apiKey);
  const authType = apiKey === null ? detectAuthType({ ...options, environment }) : ('gemini-api-key' as const);
  const plan = planRun(request, settings, { directory, place, authType, allowsGoogleLogs, toolSession });
  const childEnvironment = buildChildEnvironment({
    environment,
    path: await programs.forChildren(),
    homeDirectory: directory.home,
    temporaryDirectory: directory.temporary,
    variables: {
      ...(sandbox ? runtimeVariables(environment) : preloadVariables(cli.command, directory.root)),
      ...(toolSession !== null && loopbackVariables(environment)),
      ...plan.variables,
    },
  });
  await directory.write([...plan.files, preload]);
  const { file, arguments: words } = withPreload(cli.command, directory.root);
  return {
    command: { file, arguments: [...words, ...plan.arguments] },
    directory,
    environment: childEnvironment,
    cwd: plan.cwd,
    isGiven: place.kind === 'trusted',
    input: frameInput(request.input),
    toolSession,
    endsByItself: sandbox,
    redact: createRunRedactor({ ...options, root: directory.root, environment }),
  };
}
