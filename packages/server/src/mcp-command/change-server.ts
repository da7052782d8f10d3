import { escapeName } from '@gemini-mcp/core/internal';
import { describeProblem, editHubSettings, type HubSettingsEdit } from '@gemini-mcp/hub';
import { hasServer } from './add-server.ts';
import type { KnownFile, McpPlace, McpResult } from './mcp-place.ts';
import { done, meantBy, noted, refused, seeList } from './mcp-results.ts';
import type { McpAction, Scope } from './read-mcp-words.ts';
import { writeSettings } from './write-settings.ts';

type ChangeAction = Extract<McpAction, { readonly action: 'remove' | 'enable' | 'disable' }>;

const scopes: readonly Scope[] = ['user', 'project'];

/** Removes a server, or switches it off or on, in the settings that have it. */
export async function changeServer(action: ChangeAction, place: McpPlace): Promise<McpResult> {
  const problems: string[] = [];
  for (const scope of action.scope === null ? scopes.filter((one) => place.paths[one] !== null) : [action.scope]) {
    const changed = await changeIn(scope, action, place);
    if (changed !== null && changed.exitCode === 0) {
      return changed;
    }
    problems.push(changed?.note ?? '');
  }
  const told = problems.join('');
  return told === '' ? await unknown(action, place) : { ...refused(), note: told };
}

/** Null where the settings of the scope do not have the server. */
async function changeIn(scope: Scope, action: ChangeAction, place: McpPlace): Promise<McpResult | null> {
  const { server } = action;
  const seen = { isThere: false };
  const change = {
    scope,
    describeProblem,
    edit: (text: string | null, file: string) => {
      seen.isThere = hasServer(text, server);
      return editHubSettings(text, seen.isThere ? editFor(action) : { type: 'remove', server }, file);
    },
  };
  // A place that does not have it is left without a trace.
  const looked = await writeSettings({ ...change, isPreview: true }, place);
  const written = seen.isThere ? await writeSettings(change, place) : looked;
  if (written.type === 'refused') {
    return refused(...written.problems);
  }
  const line = `${words[action.action]} ${escapeName(server)} in ${escapeName(written.path)}`;
  return seen.isThere ? noted(done(line), written.notes) : null;
}

const words = { remove: 'Removed', enable: 'Switched on', disable: 'Switched off' } as const;

function editFor({ action, server }: ChangeAction): HubSettingsEdit {
  return action === 'remove' ? { type: 'remove', server } : { type: 'enable', server, isEnabled: action === 'enable' };
}

async function unknown({ server, action }: ChangeAction, place: McpPlace): Promise<McpResult> {
  const opened = await place.open();
  try {
    const { files, merged } = await opened.settings();
    const owner = files.find((file) => file.settings?.servers.has(server) === true);
    return refused(whyNot(server, owner, [...merged.servers.keys()], action));
  } finally {
    await opened.close();
  }
}

function whyNot(server: string, owner: KnownFile | undefined, known: readonly string[], action: string): string {
  const name = escapeName(server);
  if (owner?.scope === 'operator') {
    return `${name} was set up by the administrator of this machine, in ${escapeName(owner.path)}, which mcp ${action} does not change.`;
  }
  return `There is no server ${name} in these settings. ${meantBy(server, known, seeList)}`;
}
