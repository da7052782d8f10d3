import type { ServerOff } from '@gemini-mcp/core/internal';
import type { HubSettings, ServerEntry } from '@gemini-mcp/hub';
import type { HubSettingsRead } from './hub-settings-files.ts';

type ReadForServersOff = Pick<HubSettingsRead, 'merged'> & {
  readonly files: readonly Pick<HubSettingsRead['files'][number], 'state' | 'settings'>[];
};

/** Those of the settings that are not used, and why. */
export function serversOff({ merged, files }: ReadForServersOff, used: ReadonlySet<string>): readonly ServerOff[] {
  const off = [...merged.servers.values()].filter(({ name }) => !used.has(name));
  const unapproved =
    files.find(({ state }) => state === 'unapproved')?.settings?.servers ?? new Map<string, ServerEntry>();
  const waiting = [...unapproved.values()].filter(({ name }) => !used.has(name) && !merged.servers.has(name));
  return [
    ...off.map((entry) => describeOff(entry, whyOff(merged, entry))),
    ...waiting.map((entry) =>
      describeOff(entry, 'It belongs to this project, whose settings are not approved: mcp approve --project'),
    ),
  ];
}

function describeOff({ name, description, transport }: ServerEntry, reason: string): ServerOff {
  return { name, description, transport: transport.type, reason };
}

function whyOff({ allowed, excluded }: HubSettings, { name, isEnabled }: ServerEntry): string {
  if (!isEnabled) {
    return 'Its settings switch it off: mcp enable switches it on.';
  }
  if (excluded.includes(name)) {
    return 'mcp.excluded of the settings names it.';
  }
  return allowed?.includes(name) === false ? 'mcp.allowed of the settings does not name it.' : 'It is not used here.';
}
