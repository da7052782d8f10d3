import { join } from 'node:path';
import {
  CliGeminiRunner,
  type CliGeminiRunnerOptions,
  type GeminiCliFinder,
  WarmGeminiRunner,
} from '@gemini-mcp/adapters-node';
import { ChoosingGeminiRunner, type Clock, type GeminiRunner } from '@gemini-mcp/core';
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
  readonly observers: Pick<Observers, 'onRun' | 'onChoice' | 'onPool'>;
  /** Real paths of directories that may be shown to Gemini in addition to those of the configuration. */
  readonly furtherRoots: readonly string[];
  /** Absolute paths of files that are the server's own: Gemini is shown none of them. */
  readonly privateFiles: readonly string[];
};

/** Holds one private directory a run. */
export function runsDirectoryOf({ stateDirectory }: Configuration): string {
  return join(stateDirectory, 'runs');
}

/** The runner that keeps processes running, which is to be closed; null where every call has a process of its own. */
export function createWarmRunner(parts: RunnerParts): WarmGeminiRunner | null {
  const { runner, warmProcesses, warmIdleMs } = parts.configuration;
  if (runner === 'headless') {
    return null;
  }
  const limits = { maxProcesses: warmProcesses, idleMs: warmIdleMs };
  return new WarmGeminiRunner({ ...runnerOptions(parts), onPool: parts.observers.onPool, limits });
}

/** The runner for all calls: the one above where it fits, a process for the call where not. */
export function createGeminiRunner(parts: RunnerParts, warm: WarmGeminiRunner | null): GeminiRunner {
  const { clock, configuration, observers } = parts;
  const { runner: preference, sessionRetentionDays } = configuration;
  const runners = [warm, new CliGeminiRunner(runnerOptions(parts))].filter((each) => each !== null);
  const runner = new ChoosingGeminiRunner({ clock, runners, preference, onChoice: observers.onChoice });
  return sessionRetentionDays === 0 ? withoutKeptConversations(runner) : runner;
}

/** The same for both ways of running. */
function runnerOptions({ configuration, furtherRoots, privateFiles, ...parts }: RunnerParts): CliGeminiRunnerOptions {
  const { clock, finder, environment, observers } = parts;
  const real = (path: string): string => realPathOf(configuration, path);
  return {
    clock,
    finder,
    environment,
    runsDirectory: runsDirectoryOf(configuration),
    userDirectory: configuration.userDirectory,
    roots: [...rootsOf(configuration).map(real), ...furtherRoots],
    trustedDirectories: configuration.trustedDirectories.map(real),
    privateDirectories: [configuration.stateDirectory, ...privateFiles],
    onRun: observers.onRun,
  };
}

function rootsOf({ workingDirectory, roots, noRootBecause }: Configuration): readonly string[] {
  return noRootBecause === null ? [workingDirectory, ...roots] : [];
}
