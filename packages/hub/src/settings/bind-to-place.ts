import { canonicalJson } from '@gemini-mcp/core/internal';
import { digestOf } from '../digest-of.ts';
import type { HubSettings } from './read-hub-settings.ts';

/**
 * The settings with digests that hold in one place alone: `node server.js` is another server in another project, and what was approved of one
 * does not count for the other.
 */
export function bindToPlace(settings: HubSettings, place: string): HubSettings {
  const servers = [...settings.servers].map(
    ([name, entry]) => [name, { ...entry, digest: digestOf(canonicalJson([place, entry.digest])) }] as const,
  );
  return { ...settings, servers: new Map(servers) };
}
