import type { Check } from './check.ts';
import type { DoctorProbes } from './doctor-probes.ts';

const maxShown = 5;

/** What the settings of other MCP servers say; nothing where there are none. */
export async function checkServers({ readServers }: Pick<DoctorProbes, 'readServers'>): Promise<readonly Check[]> {
  const found = await readServers();
  if (found === null) {
    return [];
  }
  const { names, problems } = found;
  const name = 'Other servers';
  const list = names.length === 0 ? 'none is on' : names.join(', ');
  if (problems.length === 0) {
    return [{ name, status: 'ok', found: list, fix: null }];
  }
  const more = problems.length > maxShown ? ` And ${problems.length - maxShown} more.` : '';
  return [
    {
      name,
      status: 'warn',
      found: `${list}. ${problems.slice(0, maxShown).join(' ')}${more}`,
      fix: 'Correct the settings there. A mistake has no effect, and the rest counts.',
    },
  ];
}
