import type { Configuration } from '../settings/configuration.ts';
import { realPathOf } from '../settings/real-path-of.ts';
import type { Check } from './check.ts';
import type { DoctorProbes } from './doctor-probes.ts';

/** Whether the directories that calls may read can be read. */
export function checkDirectories(
  configuration: Configuration,
  probes: Pick<DoctorProbes, 'findReadProblem'>,
): Promise<readonly Check[]> {
  const { workingDirectory, roots, trustedDirectories, noRootBecause } = configuration;
  if (noRootBecause !== null) {
    return Promise.resolve([noRoot(noRootBecause)]);
  }
  const directories = [
    { name: 'Working directory', path: workingDirectory, variable: 'GEMINI_CLI_WORKING_DIR' },
    ...roots.map((path) => ({ name: 'Root', path, variable: 'GEMINI_MCP_ROOTS' })),
    ...trustedDirectories.map((path) => ({ name: 'Trusted directory', path, variable: 'GEMINI_MCP_TRUSTED_DIRS' })),
  ];
  return Promise.all(
    directories.map(async ({ name, path, variable }): Promise<Check> => {
      const problem = await probes.findReadProblem(path);
      return problem === null
        ? { name, status: 'ok', found: describePlace(path, realPathOf(configuration, path)), fix: null }
        : {
            name,
            status: 'fail',
            found: `${path} cannot be read: ${problem}`,
            fix: `Let this user read it, or name another directory (${variable}).`,
          };
    }),
  );
}

function noRoot(noRootBecause: string): Check {
  return {
    name: 'Working directory',
    status: 'warn',
    found: `no files can be read, because ${noRootBecause}: that is no root unless it is set`,
    fix:
      "Set GEMINI_MCP_ROOTS, or start the server in your project (`cwd` in the client's configuration). Over stdio the roots that " +
      'a client names are used until then.',
  };
}

function describePlace(path: string, realPath: string): string {
  return path === realPath ? path : `${path}, a link to ${realPath}; a server follows it when it starts, and not again`;
}
