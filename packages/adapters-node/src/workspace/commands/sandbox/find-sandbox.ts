import { release } from 'node:os';
import type { SandboxState } from '@gemini-mcp/core';
import { findSystemProgram } from '../../../processes/programs/find-system-program.ts';
import { runProgram } from '../../../processes/run-program.ts';
import { describeShortage } from '../../../processes/system-shortage.ts';
import { namespaces, processes } from './bubblewrap-arguments.ts';
import type { BubblewrapFeatures, FoundSandbox, SandboxSearch } from './command-sandbox.ts';
import { findMachineSecrets } from './find-secret-settings.ts';
import { systemCallFilter } from './system-call-filter.ts';

export type FindSandboxOptions = {
  /** The directories of the system's own programs; defaults to the usual places. */
  readonly directories?: readonly string[];
  readonly platform?: NodeJS.Platform;
  readonly architecture?: NodeJS.Architecture;
};

const timeoutMs = 10_000;

/** Finds the sandbox programs among the system's own, and tries whether they work here. Rejects only on abort. */
export async function findSandbox(
  { directories, platform = process.platform, architecture = process.arch }: FindSandboxOptions,
  signal: AbortSignal,
): Promise<SandboxSearch> {
  const filter = systemCallFilter(architecture);
  if (platform !== 'linux' || filter === null) {
    return { found: false, state: unsupported(platform, architecture), isShortage: false };
  }
  let shortage: string | null = null;
  const find = (name: string): Promise<string | null> =>
    findSystemProgram(name, directories).catch((error: unknown) => {
      shortage ??= describeShortage(error);
      return null;
    });
  const [bubblewrap, prlimit, mkfifo] = await Promise.all([find('bwrap'), find('prlimit'), find('mkfifo')]);
  if (bubblewrap === null || prlimit === null || mkfifo === null) {
    const state = shortage === null ? missing({ bwrap: bubblewrap, prlimit, mkfifo }) : broken(shortage);
    return { found: false, state, isShortage: shortage !== null };
  }
  const features = await readFeatures(bubblewrap, signal);
  const sandbox: FoundSandbox = {
    ...{ bubblewrap, prlimit, mkfifo, features },
    systemCallFilter: filter,
    emptied: findMachineSecrets(),
    countsInside: countsInside(release()),
  };
  const refusal = await tryOut(sandbox, signal);
  signal.throwIfAborted();
  return refusal === null ? { found: true, sandbox } : { found: false, ...refusal };
}

/** Before Linux 5.14 a process limit counts all processes of the user anywhere. */
function countsInside(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.').map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}

type Unavailable = Extract<SandboxState, { readonly available: false }>;

function unsupported(platform: NodeJS.Platform, architecture: NodeJS.Architecture): Unavailable {
  const system = platform === 'win32' ? 'Windows' : platform;
  const detail =
    platform === 'linux'
      ? `The sandbox has no system call filter for ${architecture}. Use a machine with x64 or arm64.`
      : `Commands have no sandbox on ${system}. Use Linux, or WSL 2 on Windows.`;
  return { available: false, reason: 'unsupported-system', detail };
}

function broken(detail: string): Unavailable {
  return { available: false, reason: 'broken', detail };
}

const packages: ReadonlyMap<string, string> = new Map([
  ['bwrap', 'bubblewrap'],
  ['prlimit', 'util-linux'],
  ['mkfifo', 'coreutils'],
]);

function missing(programs: Readonly<Record<string, string | null>>): Unavailable {
  const names = Object.entries(programs).flatMap(([name, path]) => (path === null ? [name] : []));
  const wanted = names.map((name) => packages.get(name) ?? name);
  return {
    available: false,
    reason: 'missing',
    detail: `${names.join(', ')} was not found among the system's programs. Install ${wanted.join(' and ')}, for example: \`sudo apt install ${wanted.join(' ')}\`.`,
  };
}

/** From the program's own help: distributions add options to older versions. */
async function readFeatures(bubblewrap: string, signal: AbortSignal): Promise<BubblewrapFeatures> {
  const help = await runProgram({ file: bubblewrap, arguments: ['--help'], environment: {}, timeoutMs }, signal);
  const text = help.ran ? help.stdout : '';
  return { boundsMemoryFiles: text.includes('--size '), bindsDescriptors: text.includes('--ro-bind-fd') };
}

/** Succeeds only in an effective sandbox: it must be filtered, and unable to open a kernel setting for writing. */
const proof = `
if (: >> /proc/sys/kernel/core_pattern) 2> /dev/null; then echo "settings of the kernel can be written inside (/proc/sys)"; exit 1; fi
while read -r name value; do [ "$name" = Seccomp: ] && [ "$value" = 2 ] && exec "$@"; done < /proc/self/status
echo "its filter of system calls has no effect"; exit 1`;

/** As confined as a command will be, with the whole system to look at: if this fails, every command fails. */
async function tryOut(
  sandbox: FoundSandbox,
  signal: AbortSignal,
): Promise<{ readonly state: Unavailable; readonly isShortage: boolean } | null> {
  const { bubblewrap, prlimit, systemCallFilter: input } = sandbox;
  const walls = ['--seccomp', '0', ...namespaces, '--ro-bind', '/', '/', ...processes, '--dev', '/dev'];
  const inside = ['/bin/sh', '-c', proof, 'sh', prlimit, '--core=0', '--', prlimit, '-V'];
  // Merges its error output into the output that is read.
  const merged = ['-c', 'exec "$@" 2>&1', 'sh', bubblewrap, ...walls, '--', ...inside];
  const end = await runProgram({ file: '/bin/sh', arguments: merged, environment: {}, input, timeoutMs }, signal);
  if (end.ran && end.exitCode === 0) {
    return null;
  }
  const shortage = end.ran ? null : describeShortage(end.error);
  return shortage === null
    ? { state: readRefusal(end.ran ? end.stdout : String(end.error)), isShortage: false }
    : { state: broken(shortage), isShortage: true };
}

/** Bubblewrap's messages on systems that do not let it work, with their meanings. Each comes from a real system or a report of one. */
const signs: readonly (readonly [sign: RegExp, reason: Unavailable['reason'], detail: string])[] = [
  [
    /Failed RTM_NEWADDR|setting up uid map: Permission denied|Failed to write to uid_map|No permissions to creat(?:e|ing) new namespace.*apparmor/i,
    'blocked-by-apparmor',
    'AppArmor keeps bubblewrap from making user namespaces, as Ubuntu 24.04 does (kernel.apparmor_restrict_unprivileged_userns=1). Load the profile bwrap-userns-restrict that comes with the package apparmor-profiles: `sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict`.',
  ],
  [
    /Creating new namespace failed: Operation not permitted|No permissions to creat(?:e|ing) new namespace|Can't mount proc.*Operation not permitted|pivot_root: Operation not permitted/i,
    'blocked-by-seccomp',
    "A system call filter prevents bubblewrap from making namespaces, as Docker's default does. Run this server outside the container, or start the container as an ordinary user: `--user 1000:1000 --security-opt seccomp=unconfined --security-opt systempaths=unconfined`. Never do that as root, who could change the settings of the host's kernel from such a container.",
  ],
  [
    /Creating new namespace failed: No space left on device|max_user_namespaces/i,
    'broken',
    'The system allows no user namespaces. Raise the limit: `sudo sysctl user.max_user_namespaces=15000`.',
  ],
  [
    /settings of the kernel can be written inside/,
    'broken',
    'Kernel settings (/proc/sys) could be written inside the sandbox. Run this server as an ordinary user instead of root.',
  ],
  [
    /PR_SET_SECCOMP|filter of system calls has no effect/,
    'broken',
    'The kernel does not accept a system call filter, as under emulation by QEMU. Run this server with a Node for the architecture of the machine, and a kernel with CONFIG_SECCOMP_FILTER.',
  ],
];

const maxShownCharacters = 300;

function readRefusal(words: string): Unavailable {
  const sign = signs.find(([pattern]) => pattern.test(words));
  if (sign !== undefined) {
    return { available: false, reason: sign[1], detail: sign[2] };
  }
  const shown = words
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, maxShownCharacters);
  const said = shown === '' ? 'without a message' : `with the message: ${shown}`;
  return {
    available: false,
    reason: 'broken',
    detail: `bubblewrap is installed but does not work: it failed ${said}. Try \`bwrap --unshare-all --ro-bind / / true\` in a terminal.`,
  };
}

/** Checks whether commands can be sandboxed here, for `sandbox` of an executor. Rejects only on abort. */
export async function findCommandSandbox(signal: AbortSignal, options: FindSandboxOptions = {}): Promise<SandboxState> {
  const search = await findSandbox(options, signal);
  return search.found ? { available: true, name: 'bubblewrap' } : search.state;
}
