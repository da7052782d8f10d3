import { searchPath } from '../process/search-path.ts';
import type { RunDirectory } from './run-directory.ts';

/** What the CLI looks for, in its order, when `--sandbox` names nothing. */
const runtimes: readonly string[] =
  process.platform === 'darwin' ? ['sandbox-exec', 'docker', 'podman'] : ['docker', 'podman'];

/** Into a container the CLI hands its whole input as one word of a command line, each character quoted. */
export const maxSandboxInputBytes = 60_000;

/** Finds what the CLI would run its tools in; null when there is none. `path` is where programs are looked for. */
export async function findSandbox(path: string): Promise<string | null> {
  for (const runtime of runtimes) {
    if ((await searchPath(runtime, path)) !== null) {
      return runtime;
    }
  }
  return null;
}

/**
 * What the CLI in a container must see of the run: its private directory at the same path, and the variables that lead
 * there. Without them it would know neither our command nor our policy.
 */
export function sandboxVariables(
  { root, home }: Pick<RunDirectory, 'root' | 'home'>,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const inside = { ...variables, GEMINI_CLI_HOME: home, GEMINI_CLI_TRUST_WORKSPACE: 'true' };
  return {
    SANDBOX_MOUNTS: `${root}:${root}:rw`,
    SANDBOX_ENV: Object.entries(inside)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
  };
}
