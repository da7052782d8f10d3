import type { ServerOff } from '@gemini-mcp/core/internal';
import type { HubSettings, ServerEntry } from '@gemini-mcp/hub';
import type { HubSettingsRead } from './hub-settings-files.ts';

type ReadForServersOff = Pick<HubSettingsRead, 'merged'> & {
  readonly files: readonly Pick<HubSettingsRead['files'][number], 'unapproved'>[];
};

/** Those of the settings that are not used, and why. */
export function serversOff({ merged, files }: ReadForServersOff, used: ReadonlySet<string>): readonly ServerOff[] {
  const off = [...merged.servers.values()].filter(({ name }) => !used.has(name));
  const named = files.flatMap(({ unapproved }) => unapproved ?? []);
  const waiting = [...new Set(named)].filter((name) => !used.has(name) && !merged.servers.has(name));
  const reason = 'It belongs to this project, whose settings are not approved: mcp approve --project';
  return [
    ...off.map(({ name, description, transport, ...entry }) => {
      return { name, description, transport: transport.type, reason: whyOff(merged, { name, ...entry }) };
    }),
    ...waiting.map((name) => ({ name, description: null, transport: null, reason })),
  ];
}

function whyOff(
  { allowed, excluded }: HubSettings,
  { name, isEnabled }: Pick<ServerEntry, 'name' | 'isEnabled'>,
): string {
  if (!isEnabled) {
    return 'Its settings switch it off: mcp enable switches it on.';
  }
  if (excluded.includes(name)) {
    return 'mcp.excluded of the settings names it.';
  }
  return allowed?.includes(name) === false ? 'mcp.allowed of the settings does not name it.' : 'It is not used here.';
}
