import { escapeName, formatServers, type ServerOff, viewServers } from '@gemini-mcp/core/internal';
import { describeProblem, type HubSettings, type ServerEntry } from '@gemini-mcp/hub';
import { formatJson } from '../sessions/session-formats.ts';
import type { KnownSettings, McpPlace, McpResult, ServersAtTerminal } from './mcp-place.ts';
import { done, meantBy, noted, refused, seeList } from './mcp-results.ts';
import type { McpAction } from './words/mcp-action.ts';

type ListAction = Extract<McpAction, { readonly action: 'list' }>;

/** The status view of all servers, or of one. */
export async function listServers(
  { server, json }: ListAction,
  place: McpPlace,
  signal: AbortSignal,
): Promise<McpResult> {
  const opened = await place.open();
  try {
    return await list({ server, json }, { place, opened }, signal);
  } finally {
    await opened.close();
  }
}

async function list(
  { server, json }: Pick<ListAction, 'server' | 'json'>,
  { place, opened }: { readonly place: McpPlace; readonly opened: ServersAtTerminal },
  signal: AbortSignal,
): Promise<McpResult> {
  await opened.connect(server, signal);
  const servers = await opened.servers.list({ waitMs: 0 }, signal);
  const settings = await opened.settings();
  const view = viewServers({
    servers,
    off: serversOff(settings, new Set(servers.map(({ name }) => name))),
    problems: settings.merged.problems.map(describeProblem),
    ownNames: [],
    nowMs: place.clock.now(),
  });
  const shown = server === null ? view.servers : view.servers.filter(({ name }) => name === server);
  if (server !== null && shown.length === 0) {
    const known = view.servers.map(({ name }) => name);
    return refused(`There is no server ${escapeName(server)}. ${meantBy(server, known, seeList)}`);
  }
  if (json) {
    return { output: formatJson({ ...view, servers: shown }), note: '', exitCode: 0 };
  }
  const text = formatServers({ ...view, servers: shown });
  return shown.length === 0
    ? noted(done(), [...view.problems, 'No other servers are configured. Add one: mcp add <name> <command or address>'])
    : { output: text, note: '', exitCode: 0 };
}

/** Those of the settings that are not used, and why. */
function serversOff({ merged, files }: KnownSettings, used: ReadonlySet<string>): readonly ServerOff[] {
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
