import { join } from 'node:path';
import type { RunEnd, RunnerCapabilities, RunRequest, ToolSession } from '@gemini-mcp/core';
import { type RunSettings, systemPromptOf } from '@gemini-mcp/core';
import type { PrivateFile } from '../../disk/run-directory/run-directory.ts';
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
import { buildCommandFile, commandName, frameInput, frameLength } from '../message/literal-channel.ts';
import { cliMediaTypes, type MediaFile, maxMediaBytes, nameMediaFiles } from '../message/media-files.ts';
import { buildSessionFile } from '../message/session-history.ts';
import { buildSystemFile } from '../message/system-prompt.ts';
import type { RunLimit } from '../run-limit.ts';
import { type AuthType, buildCliSettings, formatCliSettings } from '../settings/cli-settings.ts';
import { loopbackVariables, modelToolServerName, serverSetting, withToolSession } from '../settings/model-tools.ts';
import {
  findCliSandbox,
  isMountable,
  maxSandboxInputBytes,
  runtimeVariables,
  sandboxCommands,
  sandboxVariables,
} from '../settings/sandbox.ts';
import { buildPolicy, chooseTools } from '../settings/tool-policy.ts';
import { describeWorkDirectory, type WorkDirectory } from '../work-directory.ts';
import { type HeadlessRunOptions, type HeadlessRunResult, runHeadless } from './run-headless.ts';

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

/** The needs of one run besides the message: its own files, flags, variables, and working directory. */
export type RunPlan = {
  readonly files: readonly PrivateFile[];
  readonly arguments: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly cwd: string;
};

export type Surroundings = {
  readonly directory: Pick<CliRunDirectory, 'runId' | 'root' | 'workspace' | 'home'>;
  readonly place: WorkDirectory;
  readonly authType: AuthType;
  readonly allowsGoogleLogs?: boolean | undefined;
  readonly toolSession: Pick<ToolSession, 'url' | 'token'> | null;
};

/** Plans how the CLI runs a request. All settings, flags and variables of the CLI come from here. */
export function planRun(request: RunRequest, settings: RunSettings, surroundings: Surroundings): RunPlan {
  const { directory, place, toolSession } = surroundings;
  const cwd = place.kind === 'trusted' ? place.directory : directory.workspace;
  const tools = chooseTools(settings.tools, toolSession !== null);
  const mediaFiles = nameMediaFiles(request.media ?? [], directory.runId);
  const systemPrompt = systemPromptOf(settings);
  const parts: Parts = { request, settings, surroundings, tools, systemPrompt, mediaFiles };
  return { cwd, files: listFiles(parts), arguments: listArguments(parts), variables: listVariables(parts) };
}

type Parts = {
  readonly request: RunRequest;
  readonly settings: RunSettings;
  readonly surroundings: Surroundings;
  readonly tools: readonly string[] | null;
  /** Null for the CLI's own prompt. */
  readonly systemPrompt: string | null;
  readonly mediaFiles: readonly MediaFile[];
};

function listFiles({
  request,
  settings,
  surroundings,
  tools,
  systemPrompt,
  mediaFiles,
}: Parts): readonly PrivateFile[] {
  const { place, authType, allowsGoogleLogs, toolSession } = surroundings;
  const { model, history = [] } = request;
  const servers = toolSession !== null && { servers: serverSetting(toolSession) };
  const cliSettings = buildCliSettings({ authType, allowsGoogleLogs, model, tools, ...servers });
  const mediaNames = mediaFiles.map(({ name }) => name);
  const command = buildCommandFile({ mediaNames, note: describeWorkDirectory(place) });
  return [
    { path: 'home/.gemini/settings.json', content: formatCliSettings(cliSettings) },
    { path: `home/.gemini/commands/${commandName}.toml`, content: command },
    ...fileIf(settings.sandbox, `${sandboxCommands}/${commandName}.toml`, () => command),
    ...fileIf(tools !== null, fileNames.policy, () => buildPolicy(tools ?? [])),
    ...fileIf(systemPrompt !== null, fileNames.system, () => buildSystemFile(systemPrompt ?? '')),
    ...fileIf(history.length > 0, fileNames.history, () => buildSessionFile(history)),
    ...mediaFiles.map(({ name, bytes }) => ({ path: `${fileNames.media}/${name}`, content: bytes })),
  ];
}

function fileIf(isWanted: boolean, path: string, build: () => string): readonly PrivateFile[] {
  return isWanted ? [{ path, content: build() }] : [];
}

/**
 * The flags of one headless call, all as `--flag=value`: a value then cannot pass for a flag, and no input of a caller is ever
 * positional. `none` names no MCP server and no extension: the CLI then uses neither.
 */
function listArguments({ request, settings, surroundings, tools, mediaFiles }: Parts): readonly string[] {
  const { directory, place, toolSession } = surroundings;
  const path = (name: string): string => join(directory.root, name);
  const policy = path(fileNames.policy);
  const included = [
    ...(place.kind === 'added' ? [place.directory] : []),
    ...(mediaFiles.length === 0 ? [] : [path(fileNames.media)]),
  ];
  return [
    `--model=${request.model}`,
    '--output-format=stream-json',
    // The first flag applies if the system has its own policies. The second overrides those of a user.
    ...(tools === null ? ['--approval-mode=yolo'] : [`--policy=${policy}`, `--admin-policy=${policy}`]),
    `--allowed-mcp-server-names=${toolSession === null ? 'none' : modelToolServerName}`,
    '--extensions=none',
    ...((request.history ?? []).length > 0 ? [`--session-file=${path(fileNames.history)}`] : []),
    ...included.map((each) => `--include-directories=${each}`),
    ...(settings.sandbox ? ['--sandbox'] : []),
  ];
}

function listVariables({
  request,
  settings,
  surroundings,
  tools,
  systemPrompt,
  mediaFiles,
}: Parts): Readonly<Record<string, string>> {
  const { place, directory } = surroundings;
  const { root } = directory;
  const { sandbox } = settings;
  const variables = { ...(systemPrompt !== null && { GEMINI_SYSTEM_MD: join(root, fileNames.system) }) };
  if (!sandbox) {
    return variables;
  }
  const shown = [
    ...(tools === null ? [] : [fileNames.policy]),
    ...(systemPrompt === null ? [] : [fileNames.system]),
    ...((request.history ?? []).length === 0 ? [] : [fileNames.history]),
    ...(mediaFiles.length === 0 ? [] : [fileNames.media]),
  ];
  const writable = place.kind === 'added' ? [place.directory] : [];
  return { ...variables, ...sandboxVariables({ root, shown, writable, variables }) };
}

const fileNames = {
  policy: 'policy.toml',
  system: 'system.md',
  history: 'history.jsonl',
  media: 'media',
};
