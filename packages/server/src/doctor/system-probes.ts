import { constants } from 'node:fs';
import { access, lstat, opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CliGeminiRunner, type GeminiCliFinder, SystemClock, WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import {
  addUserEnvironment,
  detectAuthType,
  ensurePrivateDirectory,
  findSystemProgram,
} from '@gemini-mcp/adapters-node/internal';
import { findExposure } from '@gemini-mcp/adapters-node/internal/startup';
import type { GeminiFailure } from '@gemini-mcp/core';
import { createCliFinder } from '../composition/create-cli-finder.ts';
import type { Configuration } from '../settings/configuration.ts';
import type { Environment } from '../settings/environment.ts';
import type { DoctorProbes, Login, TrialCall, TrialStart } from './doctor-probes.ts';

export type SystemProbesOptions = {
  readonly configuration: Configuration;
  readonly environment: Environment;
};

/** Longer than a start of the CLI and one word of a thinking model take. */
const callTimeoutMs = 90_000;

/** Examines this machine as a server with this configuration would find it. */
export function systemProbes({ configuration, environment }: SystemProbesOptions): DoctorProbes {
  const finder = createCliFinder({ configuration, environment });
  return {
    nodeVersion: process.versions.node,
    platform: process.platform,
    now: () => new SystemClock().now(),
    locateCli: (signal) => finder.find(() => undefined, signal),
    readLogin: () => readLogin({ configuration, environment }),
    findReadProblem: (directory) => problemOf(() => opendir(directory).then((opened) => opened.close())),
    findStateProblem: (directory) => problemOf(() => inspectState(directory)),
    findProgram: async (name) => (await finder.programs.find(name)) ?? (await findSystemProgram(name)),
    tryWarm: (model, signal) => tryWarm({ configuration, environment, finder, model }, signal),
    tryCall: (model, signal) => tryCall({ configuration, environment, finder, model }, signal),
  };
}

async function readLogin({ configuration, environment }: SystemProbesOptions): Promise<Login> {
  const { userDirectory } = configuration;
  const forRuns = await addUserEnvironment({ environment, userDirectory });
  const hasKeptCredentials = await exists(join(userDirectory, 'gemini-credentials.json'));
  return {
    authType: await detectAuthType({ environment: forRuns, userDirectory }),
    variables: new Set(Object.keys(forRuns).filter((name) => forRuns[name])),
    hasAccount: hasKeptCredentials || (await exists(join(userDirectory, 'oauth_creds.json'))),
    hasKeptCredentials,
  };
}

/** Its files must be private, as the server makes them. The directories around it are up to the user. */
async function inspectState(directory: string): Promise<void> {
  const exposure = findExposure(directory);
  if (exposure !== null) {
    throw new Error(exposure);
  }
  const runs = join(directory, 'runs');
  const existing = await nearestExisting(runs);
  if (existing === runs) {
    await ensurePrivateDirectory(runs);
  }
  const parent = existing === runs ? directory : existing;
  if (!(await stat(parent)).isDirectory()) {
    throw new Error(`${parent} is not a directory`);
  }
  await access(parent, constants.W_OK | constants.X_OK);
}

async function nearestExisting(path: string): Promise<string> {
  const parent = dirname(path);
  const isThere = await lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) {
        return false;
      }
      throw error;
    },
  );
  return isThere || parent === path ? path : nearestExisting(parent);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

type TryOptions = SystemProbesOptions & { readonly finder: GeminiCliFinder; readonly model: string };

async function tryWarm(
  { configuration, environment, finder, model }: TryOptions,
  signal: AbortSignal,
): Promise<TrialStart> {
  const clock = new SystemClock();
  const startedAtMs = clock.now();
  // The text when neither a start nor an end was reported.
  let problem: string | null = 'it did not start';
  const runner = new WarmGeminiRunner({
    clock,
    finder,
    environment,
    runsDirectory: join(configuration.stateDirectory, 'runs'),
    userDirectory: configuration.userDirectory,
    onPool: (report) => {
      if (report.type === 'ready') {
        problem = null;
      } else if (report.type === 'ended' && problem !== null) {
        problem = report.detail;
      }
    },
  });
  await runner.warmUp({ model }, signal);
  const durationMs = clock.now() - startedAtMs;
  await runner.close();
  return { durationMs, problem };
}

async function tryCall(
  { configuration, environment, finder, model }: TryOptions,
  signal: AbortSignal,
): Promise<TrialCall> {
  const clock = new SystemClock();
  const runner = new CliGeminiRunner({
    clock,
    finder,
    environment,
    runsDirectory: join(configuration.stateDirectory, 'runs'),
    userDirectory: configuration.userDirectory,
  });
  const startedAtMs = clock.now();
  const input = 'Answer with the single word: ready';
  let failure: GeminiFailure | null = null;
  for await (const event of runner.run({ model, input, deadlineAtMs: startedAtMs + callTimeoutMs }, signal)) {
    failure = event.type === 'failure' ? event.failure : failure;
  }
  return { durationMs: clock.now() - startedAtMs, failure };
}

async function problemOf(attempt: () => Promise<void>): Promise<string | null> {
  try {
    await attempt();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
}
