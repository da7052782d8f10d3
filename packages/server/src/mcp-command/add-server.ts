import { escapeName } from '@gemini-mcp/core/internal';
import { describeProblem, editHubSettings, readHubSettings, serverNamesIn, showEntry } from '@gemini-mcp/hub';
import type { McpPlace, McpResult } from './mcp-place.ts';
import { done, noted, refused } from './mcp-results.ts';
import { remarkOnPlaces } from './remark-on-places.ts';
import type { AddAction } from './read-mcp-words.ts';
import { writeSettings } from './write-settings.ts';

/** Adds a server. It is connected when something is first asked of it, and not before. */
export async function addServer(action: AddAction, place: McpPlace): Promise<McpResult> {
  const { server, entry, scope, replaces, remarks } = action;
  const seen = { isThere: false };
  const written = await writeSettings(
    {
      scope,
      describeProblem,
      edit: (text, file) => {
        const before = readHubSettings(text ?? '{}', file);
        seen.isThere = hasServer(text, server);
        return seen.isThere && !replaces
          ? { type: 'refused', problems: before.problems.filter(({ path }) => path === '') }
          : editHubSettings(text, { type: 'put', servers: new Map([[server, entry]]) }, file);
      },
    },
    place,
  );
  if (written.type === 'refused') {
    return noted(seen.isThere && !replaces ? refused(taken(server)) : refused(...written.problems), remarks);
  }
  const { path, allowed, notes } = written;
  const name = escapeName(server);
  const told = `${seen.isThere ? 'Replaced' : 'Added'} ${name} in ${escapeName(path)}`;
  return noted(done(told, `Try it: mcp list ${name}`), [
    ...remarks,
    ...remarkOnPlaces(entry, {
      startDirectory: scope === 'project' ? place.projectDirectory : place.clients.home,
      currentDirectory: place.clients.currentDirectory,
    }),
    ...notes,
    ...allowedNote(allowed),
    ...secretsNote(showEntry(entry).secrets),
  ]);
}

function taken(server: string): string {
  return `There is a server ${escapeName(server)} already. Give another name, or --replace to put this one in its place.`;
}

/** Also one with a mistake, which is no server yet. */
export function hasServer(text: string | null, server: string): boolean {
  return text !== null && serverNamesIn(text).includes(server);
}

/** What the user has named may be read from now on. */
export function allowedNote(variables: readonly string[]): readonly string[] {
  return variables.length === 0
    ? []
    : [`Servers may be given these variables of the environment from now on (mcp.variables): ${variables.join(', ')}`];
}

export function secretsNote(secrets: readonly string[]): readonly string[] {
  const seen = secrets.filter((path) => /(?:^|: )(?:args|url|httpUrl)(?: |$)/.test(path));
  const kept = secrets.filter((path) => !seen.includes(path));
  return [
    ...(kept.length === 0
      ? []
      : [
          `The settings have these values in the clear: ${kept.map(escapeName).join(', ')}. A reference keeps a secret out of them: '$NAME' for a variable of the environment, file:<path>, or keychain:<name>.`,
        ]),
    ...(seen.length === 0
      ? []
      : [
          `These values may hold a secret, and other programs can see arguments and addresses: ${seen.map(escapeName).join(', ')}. Give it by env or headers, if the server takes it there.`,
        ]),
  ];
}
