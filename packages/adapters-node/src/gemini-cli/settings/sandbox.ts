import { join } from 'node:path';
import type { Environment } from '../../processes/programs/child-environment.ts';
import type { ProgramPath } from '../../processes/programs/program-path.ts';

/** What the CLI looks for, in its order, when `--sandbox` names nothing. */
const runtimes: readonly string[] =
  process.platform === 'darwin' ? ['sandbox-exec', 'docker', 'podman'] : ['docker', 'podman'];

/** Into a container the CLI hands its whole input as one word of a command line, each character quoted. */
export const maxSandboxInputBytes = 60_000;

/** Finds what the CLI would run its tools in; null when there is none. */
export async function findSandbox(programs: ProgramPath): Promise<string | null> {
  for (const runtime of runtimes) {
    if ((await programs.find(runtime)) !== null) {
      return runtime;
    }
  }
  return null;
}

/** Where docker and podman find their own service. */
const runtimeNames: readonly string[] = ['DOCKER_HOST', 'DOCKER_CONTEXT', 'CONTAINER_HOST', 'XDG_RUNTIME_DIR'];

/** What of an environment the runtime itself needs. */
export function runtimeVariables(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    runtimeNames.flatMap((name): [string, string][] => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** What the CLI in a container has for its home; it brings our settings there by itself. */
const containerHome = '/home/node';

/** Where our command must lie outside the private home: the CLI refuses to show a container anything of that. */
export const sandboxCommands = 'commands';

export type SandboxOptions = {
  readonly root: string;
  /** What of the run is shown in the container, relative to the root, at the same path. */
  readonly shown: readonly string[];
  /** What tools in the container may change besides the directory that the CLI runs in. */
  readonly writable: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
};

/** Whether a path can be shown in a container: in the CLI's list of mounts these two separate. */
export function isMountable(path: string): boolean {
  return !/[,:]/.test(path);
}

/** What makes the CLI in a container see what the run needs: without it, it would know neither our command nor our policy. */
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
