import { join } from 'node:path';
import type { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import type { Clock, GeminiRunner, ToolEndpoint } from '@gemini-mcp/core';
import { type ApiAccess, createRunners, type Runners } from '@gemini-mcp/gemini/internal';
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
  readonly observers: Pick<Observers, 'onRun' | 'onApiRun' | 'onChoice' | 'onPool'>;
  /** Real paths of directories that may be shown to Gemini in addition to those of the configuration. */
  readonly furtherRoots: readonly string[];
  /** Absolute paths of files that are the server's own: Gemini is shown none of them. */
  readonly privateFiles: readonly string[];
};

export type ServerRunners = Omit<Runners, 'runner'> & { readonly runner: GeminiRunner };

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
}: RunnerParts): ServerRunners {
  const { clock, finder, environment, toolEndpoint, observers, api } = parts;
  const { onRun, onApiRun, onChoice, onPool } = observers;
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
  const runners = createRunners({ way, api, onApiRun, onChoice, cli, warm });
  return configuration.sessionRetentionDays === 0
    ? { ...runners, runner: withoutKeptConversations(runners.runner) }
    : runners;
}

function rootsOf({ workingDirectory, roots, noRootBecause }: Configuration): readonly string[] {
  return noRootBecause === null ? [workingDirectory, ...roots] : [];
}
