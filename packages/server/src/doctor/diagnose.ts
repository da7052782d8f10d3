import { dirname, join } from 'node:path';
import { apiModelChain } from '@gemini-mcp/adapters-api';
import { defaultModelChain, type ModelChain, type RunnerPreference } from '@gemini-mcp/core';
import type { Program } from '../command-line/program.ts';
import type { Configuration } from '../settings/read-configuration.ts';
import { realPathOfSetting } from '../settings/read-configuration.ts';
import { type Check, fault, ok, warning } from './check.ts';
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
    ...(await checkStore(configuration, probes)),
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

/** Checks that the server can store its state privately. */
async function checkState(stateDirectory: string, probes: DoctorProbes): Promise<Check> {
  const problem = await probes.findStateProblem(stateDirectory);
  const name = 'State directory';
  if (problem === null) {
    return ok(name, stateDirectory);
  }
  const fix = problem.includes('ENAMETOOLONG')
    ? 'Set GEMINI_MCP_STATE_DIR to a directory with a shorter path.'
    : 'Make it writable for this user and closed to others (mode 0700), or set GEMINI_MCP_STATE_DIR to another directory.';
  return fault(name, `${stateDirectory} cannot be used: ${problem}`, fix);
}

/** Checks that the shared store can be used, if one is set. */
async function checkStore(
  { store, storePrefix }: Configuration,
  { findStoreProblem }: Pick<DoctorProbes, 'findStoreProblem'>,
): Promise<readonly Check[]> {
  if (store === null) {
    return [];
  }
  const name = 'Shared store';
  const problem = await findStoreProblem();
  const fix = 'Mend it, or unset GEMINI_MCP_STORE to keep everything on this machine.';
  return [problem === null ? ok(name, `${store}, names begin with ${storePrefix}`) : fault(name, problem, fix)];
}

/** Checks that the directories open to calls are readable. */
export async function checkDirectories(
  configuration: Configuration,
  { findReadProblem }: Pick<DoctorProbes, 'findReadProblem'>,
): Promise<readonly Check[]> {
  const { workingDirectory, roots, trustedDirectories, noRootBecause, projects } = configuration;
  if (noRootBecause !== null && projects.length > 0) {
    const found = `no project, because ${noRootBecause}. Over stdio, calls may name files below ${projects.join(', ')}`;
    return [ok('Working directory', found)];
  }
  if (noRootBecause !== null) {
    const found = `no files can be read, because ${noRootBecause}: the server reads it only if you set it`;
    return [
      warning(
        'Working directory',
        found,
        "Set GEMINI_MCP_ROOTS, or start the server in your project (`cwd` in the client's configuration). Over stdio, the client's roots apply until then.",
      ),
    ];
  }
  const directories = [
    { name: 'Working directory', path: workingDirectory, variable: 'GEMINI_CLI_WORKING_DIR' },
    ...roots.map((path) => ({ name: 'Root', path, variable: 'GEMINI_MCP_ROOTS' })),
    ...trustedDirectories.map((path) => ({ name: 'Trusted directory', path, variable: 'GEMINI_MCP_TRUSTED_DIRS' })),
  ];
  return await Promise.all(
    directories.map(async ({ name, path, variable }): Promise<Check> => {
      const problem = await findReadProblem(path);
      const fix = `Let this user read it, or set ${variable} to another directory.`;
      return problem === null
        ? ok(name, describeTarget(path, realPathOfSetting(configuration, path)))
        : fault(name, `${path} cannot be read: ${problem}`, fix);
    }),
  );
}

function describeTarget(path: string, realPath: string): string {
  return path === realPath ? path : `${path}, a link to ${realPath}; the server follows it once, at its start`;
}

const sandboxPrograms: readonly string[] = ['docker', 'podman', 'sandbox-exec', 'bwrap', 'setpriv'];

/** Checks that calls can use the CLI's sandbox, and lists other sandboxes. */
async function checkSandbox({ findProgram, platform }: Pick<DoctorProbes, 'findProgram' | 'platform'>): Promise<Check> {
  const name = 'Sandbox';
  const found = await filterAsync(sandboxPrograms, async (program) => (await findProgram(program)) !== null);
  const isServing = found.some(
    (program) => ['docker', 'podman'].includes(program) || (program === 'sandbox-exec' && platform === 'darwin'),
  );
  const list = found.join(', ');
  const fix = 'Nothing, unless calls set `sandbox`, which needs docker or podman.';
  return isServing
    ? ok(name, list)
    : warning(
        name,
        list === '' ? 'no sandbox program is installed' : `${list}, but no program that the CLI can use`,
        fix,
      );
}

/** Directories of a home that language tools install into. */
const usualToolDirectories = ['.cargo', '.rustup', '.pyenv', '.volta', '.bun', '.deno', 'go'];

/** Checks that Gemini's commands can run in a sandbox, and lists the tools they find there. */
export async function checkCommandSandbox(
  { toolPaths, userDirectory }: { readonly toolPaths: readonly string[]; readonly userDirectory: string },
  { findCommandSandbox, findReadProblem }: Pick<DoctorProbes, 'findCommandSandbox' | 'findReadProblem'>,
  signal: AbortSignal,
): Promise<Check> {
  const name = 'Command sandbox';
  const state = await findCommandSandbox(signal);
  if (!state.available) {
    const fix = `${state.detail} Until then gemini_agent runs no commands; everything else works.`;
    return warning(name, sandboxFaults[state.reason], fix);
  }
  const isReadable = async (path: string): Promise<boolean> => (await findReadProblem(path)) === null;
  const missing = await filterAsync(toolPaths, async (path) => !(await isReadable(path)));
  if (missing.length > 0) {
    const found = `${state.name}; cannot read ${missing.join(', ')}`;
    return warning(name, found, 'Remove it from GEMINI_MCP_TOOL_PATHS, or make it readable.');
  }
  const usual = usualToolDirectories.map((each) => join(dirname(userDirectory), each));
  const unused = await filterAsync(
    usual.filter((path) => !toolPaths.includes(path)),
    isReadable,
  );
  const shown = toolPaths.length === 0 ? state.name : `${state.name}, with ${toolPaths.join(', ')}`;
  const note = `; commands cannot use these unless GEMINI_MCP_TOOL_PATHS names them: ${unused.join(', ')}`;
  return ok(name, unused.length === 0 ? shown : shown + note);
}

const sandboxFaults = {
  missing: 'bubblewrap or a program it needs is not installed',
  'blocked-by-apparmor': 'bubblewrap is installed, but AppArmor blocks it',
  'blocked-by-seccomp': 'bubblewrap is installed, but a system call filter (seccomp) blocks it',
  'unsupported-system': 'this system is not supported',
  broken: 'bubblewrap is installed but does not work',
} as const;

/** Checks that logins to upstream servers can be encrypted. */
async function checkKeychain({ findKeychainProblem }: Pick<DoctorProbes, 'findKeychainProblem'>): Promise<Check> {
  const name = 'Keychain';
  const problem = await findKeychainProblem();
  return problem === null
    ? ok(name, 'seals the logins to other servers')
    : warning(name, problem, 'Until then logins to other servers can be neither stored nor used.');
}

const maxShown = 5;

/** Checks the settings of upstream MCP servers; no check if the settings are missing. */
async function checkServers({ readServers }: Pick<DoctorProbes, 'readServers'>): Promise<readonly Check[]> {
  const read = await readServers();
  if (read === null) {
    return [];
  }
  const { names, problems } = read;
  const name = 'Other servers';
  const list = names.length === 0 ? 'none enabled' : names.join(', ');
  if (problems.length === 0) {
    return [ok(name, list)];
  }
  const more = problems.length > maxShown ? ` And ${problems.length - maxShown} more.` : '';
  const fix = 'Correct the settings there. Invalid entries are ignored; the rest applies.';
  return [warning(name, `${list}. ${problems.slice(0, maxShown).join(' ')}${more}`, fix)];
}

async function filterAsync<Item>(
  items: readonly Item[],
  isOne: (item: Item) => Promise<boolean>,
): Promise<readonly Item[]> {
  const kept = await Promise.all(items.map(isOne));
  return items.filter((_, index) => kept[index] === true);
}
