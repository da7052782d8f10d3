import { join } from 'node:path';
import {
  type ChosenDirectories,
  chooseDirectories,
  defaultStateDirectory,
  homeDirectory,
  pinPaths,
} from '@gemini-mcp/adapters-node/internal/startup';
import { defaultModelChain, type ModelChain } from '@gemini-mcp/core';
import type { Configuration, ConfigurationWarning } from './configuration.ts';
import { type ReadSetting, type SettingSources, settingReader } from './read-setting.ts';
import { serverSettings as settings } from './server-settings.ts';
import type { Setting } from './setting.ts';

export type ConfigurationSources = SettingSources & {
  /** The working directory where nothing else is set. */
  readonly currentDirectory: string;
};

export type ConfigurationRead = {
  readonly configuration: Configuration;
  /** What was set and does nothing, for the log. */
  readonly warnings: readonly ConfigurationWarning[];
};

/** Reads the settings that every server has. Throws a `ConfigurationError` that names the variable or the flag which is wrong. */
export function readConfiguration(sources: ConfigurationSources): ConfigurationRead {
  const { environment, currentDirectory } = sources;
  const home = homeDirectory(environment);
  const read = settingReader(sources);
  const readOnly = read(settings.readOnly, false);
  const mayAllowYolo = read(settings.allowYolo, false);
  const configuration: Configuration = {
    ...readDirectories(read, { currentDirectory, home }),
    allowSensitive: read(settings.allowSensitive, false),
    modelChain: chainOf(read(settings.models, [])),
    cli: read(settings.cli, null),
    ...readLimits(read),
    ...readRunner(read),
    keepsControls: read(settings.keepControls, false),
    tools: namesOrAll(read(settings.tools, [])),
    readOnly,
    allowYolo: mayAllowYolo && !readOnly,
    sessionRetentionDays: read(settings.sessionRetentionDays, 30),
    stateDirectory: read(settings.stateDirectory, defaultStateDirectory('gemini-mcp-server', environment, home)),
    userDirectory: join(home, '.gemini'),
    logLevel: read(settings.logLevel, 'info'),
  };
  const overruled = mayAllowYolo && readOnly ? [yoloWithoutEffect] : [];
  const unused = configuration.runner === 'headless' ? findUnusedSettings(read) : [];
  return { configuration, warnings: [...overruled, ...unused] };
}

type Directories = ChosenDirectories & Pick<Configuration, 'trustedDirectories' | 'pinnedPaths'>;

function readDirectories(
  read: ReadSetting,
  start: { readonly currentDirectory: string; readonly home: string },
): Directories {
  const trustedDirectories = read(settings.trustedDirectories, []);
  const workingDirectory = read(settings.workingDirectory, null);
  const set = { workingDirectory, roots: read(settings.roots, []), trustedDirectories };
  const chosen = chooseDirectories(set, { ...start, program: 'the server' });
  const pinnedPaths = pinPaths([chosen.workingDirectory, ...chosen.roots, ...trustedDirectories]);
  return { ...chosen, trustedDirectories, pinnedPaths };
}

const yoloWithoutEffect: ConfigurationWarning = {
  variable: settings.allowYolo.variable,
  message: 'It has no effect: the server is read-only.',
};

const onlyForWarm = [settings.prewarm, settings.warmProcesses, settings.warmIdleSeconds, settings.warmMemoryMegabytes];

/** What was set for processes that are never kept. */
function findUnusedSettings(read: ReadSetting): readonly ConfigurationWarning[] {
  return onlyForWarm
    .filter((setting: Setting<number | boolean>) => Boolean(read(setting, null)))
    .map(({ variable }) => ({ variable, message: 'It has no effect: the runner is headless.' }));
}

type RunnerLimits = Pick<Configuration, 'runner' | 'prewarm' | 'warmProcesses' | 'warmIdleMs' | 'warmMaxBytes'>;

function readRunner(read: ReadSetting): RunnerLimits {
  const runner = read(settings.runner, 'auto');
  return {
    runner,
    prewarm: read(settings.prewarm, false) && runner !== 'headless',
    warmProcesses: read(settings.warmProcesses, 4),
    warmIdleMs: read(settings.warmIdleSeconds, 600) * 1_000,
    warmMaxBytes: read(settings.warmMemoryMegabytes, 700) * 1_048_576,
  };
}

type Limits = Pick<
  Configuration,
  'queryTimeoutMs' | 'chatTimeoutMs' | 'searchTimeoutMs' | 'maxTimeoutMs' | 'maxRunning' | 'maxQueued'
>;

function readLimits(read: ReadSetting): Limits {
  const timeoutMs = read(settings.timeoutMs, null);
  return {
    queryTimeoutMs: timeoutMs ?? 120_000,
    chatTimeoutMs: read(settings.chatTimeoutMs, timeoutMs ?? 600_000),
    searchTimeoutMs: read(settings.searchTimeoutMs, timeoutMs ?? 60_000),
    maxTimeoutMs: read(settings.maxTimeoutMs, 3_600_000),
    maxRunning: read(settings.maxRunning, 4),
    maxQueued: read(settings.maxQueued, 32),
  };
}

function chainOf([first, ...others]: readonly string[]): ModelChain {
  return first === undefined ? defaultModelChain : [first, ...others];
}

function namesOrAll(names: readonly string[]): readonly string[] | null {
  return names.length === 0 ? null : names;
}
