import { join } from 'node:path';
import type { Check } from './check.ts';
import type { DoctorProbes } from './doctor-probes.ts';

export type CommandSandboxOptions = {
  readonly probes: Pick<DoctorProbes, 'findCommandSandbox' | 'findReadProblem'>;
  /** Directories of programs that commands may use besides those of the system. */
  readonly toolPaths: readonly string[];
  /** Where tools of this user usually lie. */
  readonly home: string;
};

/** Where language tools put themselves outside of the system's own places. */
const usualPlaces = ['.cargo', '.rustup', '.pyenv', '.volta', '.bun', '.deno', 'go'];

/** Checks whether the commands of Gemini can be run in a sandbox, and which tools they find there. */
export async function checkCommandSandbox(options: CommandSandboxOptions, signal: AbortSignal): Promise<Check> {
  const { probes, toolPaths, home } = options;
  const name = 'Command sandbox';
  const state = await probes.findCommandSandbox(signal);
  if (!state.available) {
    const fix = `${state.detail} Until then gemini_agent runs no commands; all else works.`;
    return { name, status: 'warn', found: words[state.reason], fix };
  }
  const missing = await findThose(toolPaths, async (path) => (await probes.findReadProblem(path)) !== null);
  if (missing.length > 0) {
    const fix = 'Take it out of GEMINI_MCP_TOOL_PATHS, or make it readable.';
    return { name, status: 'warn', found: `${state.name}; cannot read ${missing.join(', ')}`, fix };
  }
  const usual = usualPlaces.map((place) => join(home, place)).filter((path) => !toolPaths.includes(path));
  const unused = await findThose(usual, async (path) => (await probes.findReadProblem(path)) === null);
  const shown = toolPaths.length === 0 ? state.name : `${state.name}, with ${toolPaths.join(', ')}`;
  return unused.length === 0
    ? { name, status: 'ok', found: shown, fix: null }
    : {
        name,
        status: 'ok',
        found: `${shown}; not for commands unless GEMINI_MCP_TOOL_PATHS names them: ${unused.join(', ')}`,
        fix: null,
      };
}

const words = {
  missing: 'bubblewrap, or a program that goes with it, is not installed',
  'blocked-by-apparmor': 'bubblewrap is installed, and AppArmor keeps it from working',
  'blocked-by-seccomp': 'bubblewrap is installed, and a filter of system calls keeps it from working',
  'unsupported-system': 'there is none for this system',
  broken: 'bubblewrap is installed, and does not work',
} as const;

async function findThose(
  paths: readonly string[],
  isOne: (path: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const found = await Promise.all(paths.map(isOne));
  return paths.filter((_, index) => found[index] === true);
}
