import { dirname, join } from 'node:path';
import { type Configuration, realPathOfSetting } from '../settings/read-configuration.ts';
import { type Check, fault, ok, warning } from './check.ts';
import type { DoctorProbes } from './doctor-probes.ts';

/** Checks that the server can store its state privately. */
export async function checkState(stateDirectory: string, probes: DoctorProbes): Promise<Check> {
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

/** Checks that the directories open to calls are readable. */
export async function checkDirectories(
  configuration: Configuration,
  { findReadProblem }: Pick<DoctorProbes, 'findReadProblem'>,
): Promise<readonly Check[]> {
  const { workingDirectory, roots, trustedDirectories, noRootBecause } = configuration;
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
export async function checkSandbox({
  findProgram,
  platform,
}: Pick<DoctorProbes, 'findProgram' | 'platform'>): Promise<Check> {
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
export async function checkKeychain({
  findKeychainProblem,
}: Pick<DoctorProbes, 'findKeychainProblem'>): Promise<Check> {
  const name = 'Keychain';
  const problem = await findKeychainProblem();
  return problem === null
    ? ok(name, 'seals the logins to other servers')
    : warning(name, problem, 'Until then logins to other servers can be neither stored nor used.');
}

const maxShown = 5;

/** Checks the settings of upstream MCP servers; no check if the settings are missing. */
export async function checkServers({ readServers }: Pick<DoctorProbes, 'readServers'>): Promise<readonly Check[]> {
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
