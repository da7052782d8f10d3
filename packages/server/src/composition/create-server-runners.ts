import { join } from 'node:path';
import type { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import {
  ChoosingGeminiRunner,
  type ChoosingGeminiRunnerOptions,
  type Clock,
  type GeminiRunner,
  type ToolEndpoint,
} from '@gemini-mcp/core';
import { type ApiAccess, type ClosableRunner, createRunners } from '@gemini-mcp/gemini/internal';
import type { Configuration } from '../settings/configuration.ts';
import type { Environment } from '../settings/environment.ts';
import { realPathOf } from '../settings/real-path-of.ts';
import type { Observers } from './observers.ts';
import { withoutKeptConversations } from './without-kept-conversations.ts';

export type RunnerParts = {
  readonly configuration: Configuration;
  readonly environment: Environment;
  readonly clock: Clock;
  /** One for both ways of running: whichever looks first, the CLI is looked for once. */
  readonly finder: GeminiCliFinder;
  /** How the Gemini API is asked; null where it is not. */
  readonly api: ApiAccess | null;
  /** One for both ways of running the CLI. */
  readonly toolEndpoint: ToolEndpoint;
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
  const { clock, finder, environment, toolEndpoint, observers, api } = parts;
  const { onRun, onApiRun, onPool } = observers;
  const { runner: way, warmProcesses: maxProcesses, warmIdleMs: idleMs, allowsGoogleLogs } = configuration;
  const real = (path: string): string => realPathOf(configuration, path);
  const cli = {
    clock,
    finder,
    environment,
    toolEndpoint,
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

export type RunnerChoiceParts = Required<Pick<ChoosingGeminiRunnerOptions, 'clock' | 'runners' | 'onChoice'>> & {
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
