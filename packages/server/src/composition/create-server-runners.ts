import { join } from 'node:path';
import { ApiModelCatalog } from '@gemini-mcp/adapters-api';
import { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import {
  ChoosingGeminiRunner,
  type ChoosingGeminiRunnerOptions,
  type Clock,
  type GeminiRunner,
  type LoopbackToolServer,
  type ModelCatalog,
} from '@gemini-mcp/core';
import { KnownModels } from '@gemini-mcp/core/internal';
import { type ApiAccess, type ClosableRunner, createRunners } from '@gemini-mcp/gemini/internal';
import { type Configuration, realPathOfSetting } from '../settings/read-configuration.ts';
import type { SettingsEnvironment } from '../settings/setting.ts';
import type { Observers } from './observers.ts';

type RunnerParts = {
  readonly configuration: Configuration;
  readonly environment: SettingsEnvironment;
  readonly clock: Clock;
  /** Shared by both CLI runners, so that the CLI is searched for only once. */
  readonly finder: GeminiCliFinder;
  /** Access to the Gemini API; null if unused. */
  readonly api: ApiAccess | null;
  /** Shared by both CLI runners. */
  readonly loopbackToolServer: LoopbackToolServer;
  readonly observers: Pick<Observers, 'onRun' | 'onApiRun' | 'onPool'>;
  /** Real paths of directories that Gemini may see besides the configured ones. */
  readonly furtherRoots: readonly string[];
  /** Absolute paths of the server's own files, which Gemini never sees. */
  readonly privateFiles: readonly string[];
};

/** Holds one private directory for each run. */
export function runsDirectoryOf({ stateDirectory }: Configuration): string {
  return join(stateDirectory, 'runs');
}

/** Creates the runners that the configuration asks for. */
export function createServerRunners({
  configuration,
  furtherRoots,
  privateFiles,
  ...parts
}: RunnerParts): readonly ClosableRunner[] {
  const { clock, finder, environment, loopbackToolServer, observers, api } = parts;
  const { onRun, onApiRun, onPool } = observers;
  const { runner: preference, warmProcesses: maxProcesses, warmIdleMs: idleMs, allowsGoogleLogs } = configuration;
  const real = (path: string): string => realPathOfSetting(configuration, path);
  const cli = {
    clock,
    finder,
    environment,
    loopbackToolServer,
    runsDirectory: runsDirectoryOf(configuration),
    userDirectory: configuration.userDirectory,
    roots: [...rootsOf(configuration).map(real), ...furtherRoots],
    trustedDirectories: configuration.trustedDirectories.map(real),
    privateDirectories: [configuration.stateDirectory, ...privateFiles],
    allowsGoogleLogs,
    onRun,
  };
  const warm = { limits: { maxProcesses, idleMs }, onPool };
  return createRunners({ preference, api, onApiRun, cli, warm });
}

type RunnerChoiceParts = Required<Pick<ChoosingGeminiRunnerOptions, 'clock' | 'runners' | 'onChoice'>> & {
  readonly configuration: Pick<Configuration, 'runner' | 'sessionRetentionDays'>;
};

/** The runner for all calls: it passes each call to a suitable runner. */
export function chooseServerRunner({ configuration, ...parts }: RunnerChoiceParts): GeminiRunner {
  const runner = new ChoosingGeminiRunner({ ...parts, preference: configuration.runner });
  return configuration.sessionRetentionDays === 0 ? withoutKeptConversations(runner) : runner;
}

function rootsOf({ workingDirectory, roots, noRootBecause }: Configuration): readonly string[] {
  return noRootBecause === null ? [workingDirectory, ...roots] : [];
}

type CliFinderParts = {
  readonly configuration: Configuration;
  readonly environment: SettingsEnvironment;
  /** With an API login, a CLI that is not installed is not fetched. Defaults to no login. */
  readonly api?: ApiAccess | null;
  readonly observers?: Pick<Observers, 'onCliFound' | 'onPassedOver'>;
  /** Directories that may be read besides the configured ones. */
  readonly furtherRoots?: readonly string[];
};

/** Finds the CLI and the program directories of runs. Both exclude directories that calls may read. */
export function createCliFinder({ configuration, furtherRoots = [], ...parts }: CliFinderParts): GeminiCliFinder {
  const { workingDirectory, roots, trustedDirectories } = configuration;
  const finder = new GeminiCliFinder({
    environment: parts.environment,
    runsDirectory: runsDirectoryOf(configuration),
    mayFetch: parts.api?.login == null,
    userDirectory: configuration.userDirectory,
    roots: [workingDirectory, ...roots, ...trustedDirectories, ...furtherRoots],
    ...parts.observers,
  });
  // Starts after the handshake so that the first call does not wait. A failure here recurs in the call, which reports it.
  finder.programs.forChildren().catch(() => undefined);
  return finder;
}

/** The model list of the Gemini API; null without a key for that API. */
export function createModelCatalog(api: ApiAccess | null, clock: Clock): ModelCatalog | null {
  if (api?.login?.type !== 'gemini-key') {
    return null;
  }
  const { login, geminiBaseUrl, proxies } = api;
  return new ApiModelCatalog({ login, clock, geminiBaseUrl, proxies });
}

/** The same list, cached for a day. */
export function createKnownModels(api: ApiAccess | null, clock: Clock): KnownModels | undefined {
  const catalog = createModelCatalog(api, clock);
  return catalog === null ? undefined : new KnownModels({ clock, catalog });
}

/** The same runner, but it stores nothing of a conversation for the next turn, in memory or in a file. */
export function withoutKeptConversations(runner: GeminiRunner): GeminiRunner {
  const { countTokens } = runner;
  return {
    capabilities: runner.capabilities,
    capabilitiesFor: (needs) => runner.capabilitiesFor?.(needs) ?? runner.capabilities,
    ...(countTokens !== undefined && { countTokens: countTokens.bind(runner) }),
    run: (request, signal) => runner.run({ ...request, mayContinue: false }, signal),
  };
}
