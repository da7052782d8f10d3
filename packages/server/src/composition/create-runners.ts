import { join } from 'node:path';
import { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import {
  CliGeminiRunner,
  type CliGeminiRunnerOptions,
  type GeminiCliFinder,
  WarmGeminiRunner,
} from '@gemini-mcp/adapters-node';
import { ChoosingGeminiRunner, type Clock, type GeminiRunner, type ToolEndpoint } from '@gemini-mcp/core';
import type { Configuration } from '../settings/configuration.ts';
import type { Environment } from '../settings/environment.ts';
import { realPathOf } from '../settings/real-path-of.ts';
import type { ApiAccess } from './find-api-access.ts';
import type { Observers } from './observers.ts';
import { refuseAll } from './refuse-all.ts';
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

/** Holds one private directory a run. */
export function runsDirectoryOf({ stateDirectory }: Configuration): string {
  return join(stateDirectory, 'runs');
}

/** The runner that asks the API itself, which is to be closed; null where that is not asked. */
export function createApiRunner({ api, clock, observers, configuration }: RunnerParts): ApiGeminiRunner | null {
  return api === null || api.fault !== undefined
    ? null
    : new ApiGeminiRunner({
        ...api,
        clock,
        allowsGoogleLogs: configuration.allowsGoogleLogs,
        onRun: observers.onApiRun,
      });
}

/** The runner that keeps processes running, which is to be closed; null where no process is kept. */
export function createWarmRunner(parts: RunnerParts): WarmGeminiRunner | null {
  const { runner, warmProcesses, warmIdleMs } = parts.configuration;
  if (runner === 'headless' || runner === 'api') {
    return null;
  }
  const limits = { maxProcesses: warmProcesses, idleMs: warmIdleMs };
  return new WarmGeminiRunner({ ...runnerOptions(parts), onPool: parts.observers.onPool, limits });
}

export type KeptRunners = { readonly api: ApiGeminiRunner | null; readonly warm: WarmGeminiRunner | null };

/** The runner for all calls: one of those above where it fits, a process for the call where not. */
export function createGeminiRunner(parts: RunnerParts, { api, warm }: KeptRunners): GeminiRunner {
  const { clock, configuration, observers } = parts;
  const { runner: preference, sessionRetentionDays } = configuration;
  const headless = preference === 'api' ? null : new CliGeminiRunner(runnerOptions(parts));
  const refusing = parts.api?.fault === undefined ? null : refuseAll(parts.api.fault);
  const runners = [api, refusing, warm, headless].filter((each) => each !== null);
  const runner = new ChoosingGeminiRunner({ clock, runners, preference, onChoice: observers.onChoice });
  return sessionRetentionDays === 0 ? withoutKeptConversations(runner) : runner;
}

/** The same for both ways of running the CLI. */
function runnerOptions({ configuration, furtherRoots, privateFiles, ...parts }: RunnerParts): CliGeminiRunnerOptions {
  const { clock, finder, environment, toolEndpoint, observers } = parts;
  const real = (path: string): string => realPathOf(configuration, path);
  return {
    clock,
    finder,
    environment,
    toolEndpoint,
    runsDirectory: runsDirectoryOf(configuration),
    userDirectory: configuration.userDirectory,
    roots: [...rootsOf(configuration).map(real), ...furtherRoots],
    trustedDirectories: configuration.trustedDirectories.map(real),
    privateDirectories: [configuration.stateDirectory, ...privateFiles],
    allowsGoogleLogs: configuration.allowsGoogleLogs,
    onRun: observers.onRun,
  };
}

function rootsOf({ workingDirectory, roots, noRootBecause }: Configuration): readonly string[] {
  return noRootBecause === null ? [workingDirectory, ...roots] : [];
}
