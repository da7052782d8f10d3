import type { Check } from './check.ts';
import type { DoctorProbes } from './doctor-probes.ts';

/** Whether the server can store its state, and keep it private. */
export async function checkState(stateDirectory: string, probes: DoctorProbes): Promise<Check> {
  const problem = await probes.findStateProblem(stateDirectory);
  const name = 'State directory';
  return problem === null
    ? { name, status: 'ok', found: stateDirectory, fix: null }
    : {
        name,
        status: 'fail',
        found: `${stateDirectory} cannot be used: ${problem}`,
        fix: problem.includes('ENAMETOOLONG')
          ? 'Name a directory with a shorter path (GEMINI_MCP_STATE_DIR).'
          : 'Make it writable for this user and closed to others (mode 0700), or name another one (GEMINI_MCP_STATE_DIR).',
      };
}
