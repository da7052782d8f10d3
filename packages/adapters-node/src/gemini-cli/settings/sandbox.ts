import { join } from 'node:path';
import type { Environment } from '../../processes/programs/child-environment.ts';
import type { ProgramPath } from '../../processes/programs/program-path.ts';

/** The runtimes that the CLI tries, in order, if `--sandbox` does not name one. */
const runtimes: readonly string[] =
  process.platform === 'darwin' ? ['sandbox-exec', 'docker', 'podman'] : ['docker', 'podman'];

/** The CLI passes its whole input to a container as one word of a command line, each character quoted. */
export const maxSandboxInputBytes = 60_000;

/** Finds the container runtime that the CLI would use; null if missing. */
export async function findCliSandbox(programs: ProgramPath): Promise<string | null> {
  for (const runtime of runtimes) {
    if ((await programs.find(runtime)) !== null) {
      return runtime;
    }
  }
  return null;
}

/** The variables by which docker and podman find their own service. */
const runtimeNames: readonly string[] = ['DOCKER_HOST', 'DOCKER_CONTEXT', 'CONTAINER_HOST', 'XDG_RUNTIME_DIR'];

/** The variables that the runtime itself needs. */
export function runtimeVariables(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    runtimeNames.flatMap((name): [string, string][] => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The CLI's home in a container; the CLI copies our settings there by itself. */
const containerHome = '/home/node';

/** Our command's directory, outside the private home: the CLI refuses to mount anything of that home in a container. */
export const sandboxCommands = 'commands';

export type SandboxOptions = {
  readonly root: string;
  /** Paths of the run that are mounted in the container, relative to the root, at the same path. */
  readonly shown: readonly string[];
  /** Directories that tools in the container may change besides the CLI's working directory. */
  readonly writable: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
};

/** Whether a path can be mounted in a container: these two characters separate the CLI's list of mounts. */
export function isMountable(path: string): boolean {
  return !/[,:]/.test(path);
}

/** Shows the CLI in a container the files of the run: without it, the CLI would find neither our command nor our policy. */
export function sandboxVariables({ root, shown, writable, variables }: SandboxOptions): Record<string, string> {
  const inside = { ...variables, GEMINI_CLI_HOME: containerHome, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  const mounts = [
    `${join(root, sandboxCommands)}:${containerHome}/.gemini/commands:ro`,
    ...shown.map((name) => `${join(root, name)}:${join(root, name)}:ro`),
    ...writable.map((directory) => `${directory}:${directory}:rw`),
  ];
  const assignments = Object.entries(inside).map(([name, value]) => `${name}=${value}`);
  return { SANDBOX_MOUNTS: mounts.join(','), SANDBOX_ENV: assignments.join(',') };
}
