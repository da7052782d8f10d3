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
import { type Configuration, realPathOf } from '../settings/read-configuration.ts';
import type { Environment } from '../settings/setting.ts';
import type { Observers } from './observers.ts';

type RunnerParts = {
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly clock: Clock;
  /** One for both ways of running: whichever looks first, the CLI is looked for once. */
  readonly finder: GeminiCliFinder;
  /** How the Gemini API is asked; null where it is not. */
  readonly api: ApiAccess | null;
  /** One for both ways of running the CLI. */
  readonly loopbackToolServer: LoopbackToolServer;
  readonly observers: Pick<Observers, 'onRun' | 'onApiRun' | 'onPool'>;
  /** Real paths of directories that may be shown to Gemini in addition to those of the configuration. */
  readonly furtherRoots: readonly string[];
  /** Absolute paths of files that are the server's own: Gemini is shown none of them. */
  readonly privateFiles: readonly string[];
};

/** Holds one private directory a run. */
export function runsDirectoryOf({ stateDirectory }: Configuration): string {
  return join(stateDirectory, 'runs');
}

/** The runners of a server, as its configuration says. */
export function createServerRunners({
  configuration,
  furtherRoots,
  privateFiles,
  ...parts
}: RunnerParts): readonly ClosableRunner[] {
  const { clock, finder, environment, loopbackToolServer, observers, api } = parts;
  const { onRun, onApiRun, onPool } = observers;
  const { runner: way, warmProcesses: maxProcesses, warmIdleMs: idleMs, allowsGoogleLogs } = configuration;
  const real = (path: string): string => realPathOf(configuration, path);
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
  return createRunners({ way, api, onApiRun, cli, warm });
}

type RunnerChoiceParts = Required<Pick<ChoosingGeminiRunnerOptions, 'clock' | 'runners' | 'onChoice'>> & {
  readonly configuration: Pick<Configuration, 'runner' | 'sessionRetentionDays'>;
};

/** The one for all calls: each goes to that of the runners which suits it. */
export function chooseServerRunner({ configuration, ...parts }: RunnerChoiceParts): GeminiRunner {
  const runner = new ChoosingGeminiRunner({ ...parts, preference: configuration.runner });
  return configuration.sessionRetentionDays === 0 ? withoutKeptConversations(runner) : runner;
}

function rootsOf({ workingDirectory, roots, noRootBecause }: Configuration): readonly string[] {
  return noRootBecause === null ? [workingDirectory, ...roots] : [];
}

type CliFinderParts = {
  readonly configuration: Configuration;
  readonly environment: Environment;
  /** Where the API has a login, a CLI that is not installed is not fetched. It has none when this is missing. */
  readonly api?: ApiAccess | null;
  readonly observers?: Pick<Observers, 'onCliFound' | 'onPassedOver'>;
  /** Directories that may be read in addition to those of the configuration. */
  readonly furtherRoots?: readonly string[];
};

/** What finds the CLI, and says where runs look for programs: in no directory that calls may read. */
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
  // After the handshake, so that the first call does not wait for it. What fails here fails there again, and is told.
  finder.programs.forChildren().catch(() => undefined);
  return finder;
}

/** The list of models of the Gemini API; null where it is asked with no key of that API. */
export function createModelCatalog(api: ApiAccess | null, clock: Clock): ModelCatalog | null {
  if (api?.login?.type !== 'gemini-key') {
    return null;
  }
  const { login, geminiBaseUrl, proxies } = api;
  return new ApiModelCatalog({ login, clock, geminiBaseUrl, proxies });
}

/** The same, kept for a day. */
export function createKnownModels(api: ApiAccess | null, clock: Clock): KnownModels | undefined {
  const catalog = createModelCatalog(api, clock);
  return catalog === null ? undefined : new KnownModels({ clock, catalog });
}

/** The same runner, which keeps nothing of a conversation for its next turn: neither in memory nor in a file. */
export function withoutKeptConversations(runner: GeminiRunner): GeminiRunner {
  const { countTokens } = runner;
  return {
    capabilities: runner.capabilities,
    capabilitiesFor: (needs) => runner.capabilitiesFor?.(needs) ?? runner.capabilities,
    ...(countTokens !== undefined && { countTokens: countTokens.bind(runner) }),
    run: (request, signal) => runner.run({ ...request, mayContinue: false }, signal),
  };
}
