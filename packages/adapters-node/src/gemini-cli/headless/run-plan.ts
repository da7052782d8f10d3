import { join } from 'node:path';
import { type RunRequest, type RunSettings, systemPromptOf, type ToolSession } from '@gemini-mcp/core';
import type { PrivateFile } from '../../disk/run-directory/run-directory.ts';
import type { CliRunDirectory } from '../cli-run-directory.ts';
import { buildCommandFile, commandName } from '../message/literal-channel.ts';
import { type MediaFile, nameMediaFiles } from '../message/media-files.ts';
import { buildSessionFile } from '../message/session-history.ts';
import { buildSystemFile } from '../message/system-prompt.ts';
import { type AuthType, buildCliSettings, formatCliSettings } from '../settings/cli-settings.ts';
import { modelToolServerName, serverSetting } from '../settings/model-tools.ts';
import { sandboxCommands, sandboxVariables } from '../settings/sandbox.ts';
import { buildPolicy, chooseTools } from '../settings/tool-policy.ts';
import { describeWorkDirectory, type WorkDirectory } from '../work-directory.ts';

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
