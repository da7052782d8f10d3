import type { Check } from './check.ts';
import type { DoctorProbes } from './doctor-probes.ts';

/** Whether logins to other servers can be sealed, where that was chosen. */
export async function checkKeychain({
  findKeychainProblem,
}: Pick<DoctorProbes, 'findKeychainProblem'>): Promise<Check> {
  const name = 'Keychain';
  const problem = await findKeychainProblem();
  return problem === null
    ? { name, status: 'ok', found: 'seals the logins to other servers', fix: null }
    : { name, status: 'warn', found: problem, fix: 'Until then no login to another server can be kept or used.' };
}
