import { SystemClock } from '@gemini-mcp/adapters-node';
import { createRecordStore } from '../composition/create-stores.ts';
import { loadHubLibrary } from '../hub/load-hub-library.ts';
import { type HubSettingsPlace, openHubSettings } from '../hub/open-hub-settings.ts';
import type { DoctorProbes } from './doctor-probes.ts';

/** What the settings of other servers say. Starts none of them. */
export async function lookAtServers(place: Omit<HubSettingsPlace, 'records'>): ReturnType<DoctorProbes['readServers']> {
  const records = createRecordStore(place.configuration, new SystemClock(), () => undefined);
  const settings = openHubSettings({ ...place, records });
  const missing = await settings.findMissing();
  if (!(await settings.isThere())) {
    return missing.length === 0 ? null : { names: [], problems: missing };
  }
  const { describeProblem, isServerOn } = await loadHubLibrary();
  const { merged } = await settings.read();
  return {
    names: [...merged.servers.keys()].filter((name) => isServerOn(merged, name)),
    problems: [...missing, ...merged.problems.map(describeProblem)],
  };
}
