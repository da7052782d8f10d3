import { apiModelChain } from '@gemini-mcp/adapters-api';
import { defaultModelChain, type ModelChain, type RunnerPreference } from '@gemini-mcp/core';
import type { Program } from '../command-line/program.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import { type Check, ok, warning } from './check.ts';
import {
  checkCall,
  checkCli,
  checkLogin,
  checkModels,
  checkWarm,
  checkWay,
  describeApiLogin,
  describeSource,
} from './check-gemini.ts';
import {
  checkCommandSandbox,
  checkDirectories,
  checkKeychain,
  checkSandbox,
  checkServers,
  checkState,
} from './check-machine.ts';
import { checkNode } from './check-node.ts';
import type { ApiFound, DoctorProbes } from './doctor-probes.ts';

export type DiagnoseOptions = {
  readonly program: Pick<Program, 'nodeAdvice'>;
  readonly configuration: Configuration;
  readonly probes: DoctorProbes;
  /** Whether to make a billed call. */
  readonly call: boolean;
};

/** Checks everything a call needs, in the order of a call. Skips a start or a call that could not succeed. */
export async function diagnose(options: DiagnoseOptions, signal: AbortSignal): Promise<readonly Check[]> {
  const { program, configuration, probes, call } = options;
  const { runner } = configuration;
  const api = await probes.findApi();
  const cli = runner === 'api' ? cliUnused : await lookForCli(options, api, signal);
  const needed = [
    checkNode(probes.nodeVersion, program),
    ...(cli.waitsForLogin ? [] : [checkWay(runner, api)]),
    ...cli.checks,
    ...(await lookAtLogin(runner, api, probes)),
    await checkState(configuration.stateDirectory, probes),
  ];
  const modelChain = configuration.modelChain ?? chainOf(api, cli);
  const [model] = modelChain;
  const mayStart = needed.every(({ status }) => status !== 'fail');
  return [
    ...needed,
    ...(await checkDirectories(configuration, probes)),
    checkModels({ modelChain, nowMs: probes.now(), list: await probes.listModels(signal) }),
    ...(cli.isThere ? [await checkSandbox(probes)] : []),
    await checkCommandSandbox(configuration, probes, signal),
    ...(await checkServers(probes)),
    ...(configuration.credentials === 'keychain' ? [await checkKeychain(probes)] : []),
    ...(mayStart && cli.isThere ? [await lookAtWarm(options, signal)] : []),
    ...(mayStart && call ? [checkCall(model, await probes.tryCall(model, signal))] : []),
  ];
}

/** Without any login, uses the API, because the login to come is an API key. */
function chainOf({ login }: ApiFound, { waitsForLogin }: CliLook): ModelChain {
  return login === null && !waitsForLogin ? defaultModelChain : apiModelChain;
}

type CliLook = {
  readonly checks: readonly Check[];
  readonly isThere: boolean;
  /** Whether both CLI and login are missing, so that the login decides which backend calls use. */
  readonly waitsForLogin: boolean;
};

const cliUnused: CliLook = {
  checks: [ok('Gemini CLI', 'not used: the runner is api')],
  isThere: false,
  waitsForLogin: false,
};

const notInstalled = 'not installed; not needed with an API key or Vertex AI (only sandbox and yolo use it)';

/** A missing CLI is not a fault if calls can use the API. */
async function lookForCli(
  { configuration, probes }: DiagnoseOptions,
  { login }: ApiFound,
  signal: AbortSignal,
): Promise<CliLook> {
  const location = await probes.locateCli(signal);
  const isThere = location?.found === true;
  const waitsForLogin = location?.found === false && location.lacksLogin === true && configuration.runner === 'auto';
  if (location === null || location.found || (login === null && !waitsForLogin)) {
    return { checks: checkCli(location), isThere, waitsForLogin };
  }
  if (configuration.cli !== null) {
    const checks = checkCli(location).map((check): Check => ({ ...check, status: 'warn' }));
    return { checks, isThere, waitsForLogin };
  }
  const found = location.passedOver.length === 0 ? notInstalled : `${notInstalled}. ${location.detail}`;
  return { checks: [ok('Gemini CLI', found)], isThere, waitsForLogin };
}

/** If only the API may be used, the backend check has already reported its missing login. */
async function lookAtLogin(
  runner: RunnerPreference,
  { login }: ApiFound,
  probes: DoctorProbes,
): Promise<readonly Check[]> {
  const { source, problem, path } = probes.login;
  const unread =
    problem === null ? [] : [warning('Stored login', problem, 'Log in again, and restart running servers.')];
  if (login !== null) {
    const where = source === null ? '' : `, ${describeSource(source, { path })}`;
    return [ok('Login', `${describeApiLogin(login)}${where}`), ...unread];
  }
  return runner === 'api' ? unread : [checkLogin(await probes.readLogin()), ...unread];
}

async function lookAtWarm({ configuration, probes }: DiagnoseOptions, signal: AbortSignal): Promise<Check> {
  const { runner, modelChain } = configuration;
  const [model] = modelChain ?? defaultModelChain;
  return runner === 'headless' || runner === 'api'
    ? ok('Warm process', 'not used: the runner is headless')
    : checkWarm(runner, await probes.tryWarm(model, signal));
}
