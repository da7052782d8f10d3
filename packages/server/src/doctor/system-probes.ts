import { constants } from 'node:fs';
import { access, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiGeminiRunner } from '@gemini-mcp/adapters-api';
import { CliGeminiRunner, type GeminiCliFinder, SystemClock, WarmGeminiRunner } from '@gemini-mcp/adapters-node';
import {
  addUserEnvironment,
  detectAuthType,
  findCommandSandbox,
  findSystemProgram,
} from '@gemini-mcp/adapters-node/internal';
import type { GeminiFailure, ModelList } from '@gemini-mcp/core';
import {
  type ApiAccess,
  findApiAccess,
  loadUpstreamsLibrary,
  loginsKeychain,
  SystemKeychain,
} from '@gemini-mcp/gemini/internal';
import { createCliFinder, createModelCatalog } from '../composition/create-server-runners.ts';
import { createLocalRecordStore } from '../composition/create-stores.ts';
import { openSharedStore } from '../composition/open-shared-store.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import type { SettingsEnvironment } from '../settings/setting.ts';
import { openUpstreamConfig, type UpstreamConfigLocation } from '../upstreams/upstream-config-files.ts';
import type { DoctorProbes, Login, TrialCall, TrialStart } from './doctor-probes.ts';
import { findStateProblem } from './find-state-problem.ts';

type SystemProbesOptions = {
  readonly configuration: Configuration;
  readonly environment: SettingsEnvironment;
  /** As in `UpstreamConfigLocation`. */
  readonly isOfOneUser: boolean;
  readonly login: DoctorProbes['login'];
};

/** Longer than a CLI start plus one word from a thinking model. */
const callTimeoutMs = 90_000;

/** Creates probes that see this machine as a server with this configuration would. */
export async function systemProbes(options: SystemProbesOptions): Promise<DoctorProbes> {
  const { configuration, environment } = options;
  const { access, problem } = await lookForApi({ configuration, environment });
  const finder = createCliFinder({ configuration, environment, api: access });
  return {
    nodeVersion: process.versions.node,
    platform: process.platform,
    now: () => new SystemClock().now(),
    findApi: async () => ({ login: access?.login?.type ?? null, problem }),
    locateCli: (signal) => finder.find(() => undefined, signal),
    login: options.login,
    readLogin: () => readLogin({ configuration, environment }),
    findReadProblem: (directory) => problemOf(() => opendir(directory).then((opened) => opened.close())),
    findStateProblem,
    findStoreProblem: () => findStoreProblem(configuration),
    findProgram: async (name) => (await finder.programs.find(name)) ?? (await findSystemProgram(name)),
    findCommandSandbox: (signal) => findCommandSandbox(signal),
    listModels: (signal) => listModels(access, signal),
    readServers: () => lookAtServers(options),
    findKeychainProblem,
    tryWarm: (model, signal) => tryWarm({ configuration, environment, finder, model }, signal),
    tryCall: (model, signal) => tryCall(access, { configuration, environment, finder, model }, signal),
  };
}

/** The model list arrives at once or never. */
const listTimeoutMs = 10_000;

async function listModels(access: ApiAccess | null, signal: AbortSignal): Promise<ModelList | null> {
  const catalog = createModelCatalog(access, new SystemClock());
  return (await catalog?.list(AbortSignal.any([signal, AbortSignal.timeout(listTimeoutMs)]))) ?? null;
}

async function findKeychainProblem(): Promise<string | null> {
  const read = await new SystemKeychain(loginsKeychain).read('none');
  return read.type === 'unavailable' ? read.reason : null;
}

async function findStoreProblem(configuration: Configuration): Promise<string | null> {
  const { store: address } = configuration;
  if (address === null) {
    return null;
  }
  const store = openSharedStore({ configuration, address, clock: new SystemClock() });
  const problem = await store.findProblem();
  store.close();
  return problem;
}

type Surroundings = Omit<SystemProbesOptions, 'isOfOneUser' | 'login'>;

type ApiLook = { readonly access: ApiAccess | null; readonly problem: string | null };

function lookForApi(options: Surroundings): ApiLook {
  let problem: string | null = null;
  const onFault = (fault: string): void => {
    problem = fault;
  };
  const { runner: preference, userDirectory } = options.configuration;
  const access = findApiAccess({ ...options, preference, userDirectory, onFault });
  return { access, problem };
}

async function readLogin({ configuration, environment }: Surroundings): Promise<Login> {
  const { userDirectory } = configuration;
  const forRuns = addUserEnvironment({ environment, userDirectory });
  const hasKeptCredentials = await exists(join(userDirectory, 'gemini-credentials.json'));
  return {
    authType: detectAuthType({ environment: forRuns, userDirectory }),
    variables: new Set(Object.keys(forRuns).filter((name) => forRuns[name])),
    hasAccount: hasKeptCredentials || (await exists(join(userDirectory, 'oauth_creds.json'))),
    hasKeptCredentials,
  };
}

type TryOptions = Surroundings & { readonly finder: GeminiCliFinder; readonly model: string };

async function tryWarm(
  { configuration, environment, finder, model }: TryOptions,
  signal: AbortSignal,
): Promise<TrialStart> {
  const clock = new SystemClock();
  const startedAtMs = clock.now();
  // The result if neither a start nor an end is reported.
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

async function tryCall(access: ApiAccess | null, options: TryOptions, signal: AbortSignal): Promise<TrialCall> {
  const { model } = options;
  const clock = new SystemClock();
  const api = access?.login == null ? null : new ApiGeminiRunner({ ...access, clock });
  const runner = api ?? createTrialRunner(options, clock);
  const startedAtMs = clock.now();
  const input = 'Answer with the single word: ready';
  let failure: GeminiFailure | null = null;
  for await (const event of runner.run({ model, input, deadlineAtMs: startedAtMs + callTimeoutMs }, signal)) {
    failure = event.type === 'failure' ? event.failure : failure;
  }
  const durationMs = clock.now() - startedAtMs;
  await api?.close();
  return { durationMs, failure };
}

function createTrialRunner({ configuration, environment, finder }: TryOptions, clock: SystemClock): CliGeminiRunner {
  return new CliGeminiRunner({
    clock,
    finder,
    environment,
    runsDirectory: join(configuration.stateDirectory, 'runs'),
    userDirectory: configuration.userDirectory,
  });
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

/** Reads the settings of upstream servers without starting one. */
async function lookAtServers(place: Omit<UpstreamConfigLocation, 'records'>): ReturnType<DoctorProbes['readServers']> {
  const records = createLocalRecordStore(place.configuration, new SystemClock(), () => undefined);
  const settings = openUpstreamConfig({ ...place, records });
  const missing = await settings.findMissing();
  if (!(await settings.isThere())) {
    return missing.length === 0 ? null : { names: [], problems: missing };
  }
  const { describeProblem, isServerOn } = await loadUpstreamsLibrary();
  const { merged } = await settings.read();
  return {
    names: [...merged.servers.keys()].filter((name) => isServerOn(merged, name)),
    problems: [...missing, ...merged.problems.map(describeProblem)],
  };
}
