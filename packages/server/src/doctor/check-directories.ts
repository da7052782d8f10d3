import type { Configuration } from '../settings/configuration.ts';
import type { Check } from './check.ts';
import type { DoctorProbes } from './doctor-probes.ts';

/** Whether the directories that calls may read can be read. */
export function checkDirectories(
  { workingDirectory, roots, trustedDirectories }: Configuration,
  probes: DoctorProbes,
): Promise<readonly Check[]> {
  const directories = [
    { name: 'Working directory', path: workingDirectory, variable: 'GEMINI_CLI_WORKING_DIR' },
    ...roots.map((path) => ({ name: 'Root', path, variable: 'GEMINI_MCP_ROOTS' })),
    ...trustedDirectories.map((path) => ({ name: 'Trusted directory', path, variable: 'GEMINI_MCP_TRUSTED_DIRS' })),
  ];
  return Promise.all(
    directories.map(async ({ name, path, variable }): Promise<Check> => {
      const problem = await probes.findReadProblem(path);
      return problem === null
        ? { name, status: 'ok', found: path, fix: null }
        : {
            name,
            status: 'fail',
            found: `${path} cannot be read: ${problem}`,
            fix: `Let this user read it, or name another directory (${variable}).`,
          };
    }),
  );
}
