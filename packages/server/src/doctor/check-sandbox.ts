import type { Check } from './check.ts';
import type { DoctorProbes } from './doctor-probes.ts';

const programs = ['docker', 'podman', 'sandbox-exec', 'bwrap', 'setpriv'] as const;

/** Checks whether a call may ask for the CLI's sandbox, and which other sandbox there is. */
export async function checkSandbox(probes: DoctorProbes): Promise<Check> {
  const looked = await Promise.all(
    programs.map(async (program) => ((await probes.findProgram(program)) === null ? [] : [program])),
  );
  const found = looked.flat();
  const serving = found.filter(
    (program) =>
      program === 'docker' || program === 'podman' || (program === 'sandbox-exec' && probes.platform === 'darwin'),
  );
  const list = found.length === 0 ? 'nothing to make one with' : found.join(', ');
  return serving.length > 0
    ? { name: 'Sandbox', status: 'ok', found: list, fix: null }
    : {
        name: 'Sandbox',
        status: 'warn',
        found: found.length === 0 ? list : `${list}, but nothing that the CLI can use`,
        fix: 'Nothing, unless calls are to set `sandbox`: that needs docker or podman.',
      };
}
