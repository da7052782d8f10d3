import type { ServerEntry, Template } from '../read-server-entry.ts';
import { readUpstreamConfig } from '../read-upstream-config.ts';
import type { SettingProblem } from '../settings-node.ts';
import { addSettings, membersOf, parseSettings, removeSetting, setSetting, valueIn } from './settings-document.ts';

export type UpstreamConfigEdit =
  /** Adds servers, replacing those of the same name, and allows the variables that they refer to. */
  | { readonly type: 'put'; readonly servers: ReadonlyMap<string, Readonly<Record<string, unknown>>> }
  | { readonly type: 'remove'; readonly server: string }
  | { readonly type: 'enable'; readonly server: string; readonly isEnabled: boolean };

export type EditedUpstreamConfig =
  | {
      readonly type: 'edited';
      readonly text: string;
      /** Newly allowed variables. */
      readonly allowed: readonly string[];
    }
  /** The mistakes, in the file as it is or in the new servers. Write nothing. */
  | { readonly type: 'refused'; readonly problems: readonly SettingProblem[] };

/** Applies a change to the settings and leaves all else as it was. `text` is null for a missing file. */
export function editUpstreamConfig(text: string | null, edit: UpstreamConfigEdit, file: string): EditedUpstreamConfig {
  const before = text === null || text.trim() === '' ? '{}\n' : text;
  const edited = editText(before, edit, file);
  // Without a change, a missing file is not created either.
  return edited.type === 'edited' && edited.text === before ? { ...edited, text: text ?? '' } : edited;
}

function editText(before: string, edit: UpstreamConfigEdit, file: string): EditedUpstreamConfig {
  switch (edit.type) {
    case 'put':
      return putServers(before, edit.servers, file);
    case 'remove':
      return finish(before, { after: removeAll(before, ['mcpServers', edit.server]) }, file);
    case 'enable': {
      // A server is on by default.
      const path = ['mcpServers', edit.server, 'enabled'];
      const after = edit.isEnabled ? removeAll(before, path) : setSetting(before, path, false);
      return finish(before, { after }, file);
    }
  }
}

function putServers(
  before: string,
  servers: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
  file: string,
): EditedUpstreamConfig {
  const after = putEntries(before, servers);
  if (after === null) {
    return finish(before, { after }, file);
  }
  const { servers: read, variables, problems } = readUpstreamConfig(after, file);
  const ofServers = problems.filter(({ path }) => [...servers.keys()].some((name) => isBelow(path, name)));
  if (ofServers.length > 0) {
    return { type: 'refused', problems: ofServers };
  }
  const needed = [...servers.keys()].flatMap((name) => {
    const entry = read.get(name);
    return entry === undefined ? [] : variablesOf(entry);
  });
  const allowed = [...new Set(needed)].filter((variable) => !variables.includes(variable));
  return finish(before, { after: allow(after, allowed), allowed }, file);
}

type Added = { readonly name: string; readonly value: unknown };

function putEntries(before: string, servers: ReadonlyMap<string, unknown>): string | null {
  const there = new Set(serverNamesIn(before));
  let after: string | null = before;
  for (const [name, entry] of [...servers].filter((server) => there.has(server[0]))) {
    after = after === null ? null : setSetting(removeTwins(after, name), ['mcpServers', name], entry);
  }
  const added = [...servers].filter(([name]) => !there.has(name)).map(([name, value]) => ({ name, value }));
  return after === null || added.length === 0 ? after : addServers(after, added);
}

/** Adds everything in one edit: each edit parses the whole text. */
function addServers(text: string, added: readonly Added[]): string | null {
  const root = parseSettings(text)?.root;
  return root !== undefined && membersOf(root, 'mcpServers').length === 0
    ? setSetting(text, ['mcpServers'], Object.fromEntries(added.map(({ name, value }) => [name, value])))
    : addSettings(text, ['mcpServers'], added);
}

/** The names of all servers in the text, including invalid ones; empty if the text cannot be read. */
export function serverNamesIn(text: string): readonly string[] {
  const document = parseSettings(text);
  const servers = document === null ? undefined : valueIn(membersOf(document.root, 'mcpServers').at(-1));
  return (servers?.children ?? []).map(({ children }) => String(children?.[0]?.value));
}

/** The last of two servers with one name counts, so the new server replaces both. */
function removeTwins(text: string, name: string): string {
  const without = removeSetting(text, ['mcpServers', name]);
  return without !== null && removeSetting(without, ['mcpServers', name]) !== null ? removeTwins(without, name) : text;
}

function removeAll(text: string, path: readonly string[]): string {
  const without = removeSetting(text, path);
  return without === null ? text : removeAll(without, path);
}

function allow(text: string, variables: readonly string[]): string | null {
  if (variables.length === 0) {
    return text;
  }
  const there = listAt(text);
  return there === null ? null : setSetting(text, ['mcp', 'variables'], [...there, ...variables]);
}

/** Null unless the value is a list of texts. */
function listAt(text: string): readonly string[] | null {
  const { variables, problems } = readUpstreamConfig(text, '');
  const usual = readUpstreamConfig('{}', '').variables;
  return problems.some(({ path }) => path === 'mcp' || path === 'mcp.variables') ? null : variables.slice(usual.length);
}

function isBelow(path: string, name: string): boolean {
  return path === `mcpServers.${name}` || path.startsWith(`mcpServers.${name}.`);
}

type Made = { readonly after: string | null; readonly allowed?: readonly string[] };

/** Explains why the text cannot be edited. */
function finish(before: string, { after, allowed = [] }: Made, file: string): EditedUpstreamConfig {
  const { problems } = readUpstreamConfig(before, file);
  return after === null || problems.some(({ path }) => path === '')
    ? { type: 'refused', problems: problems.filter(({ path }) => !path.startsWith('mcpServers.')) }
    : { type: 'edited', text: after, allowed };
}

/** The environment variables that an entry refers to, each once. */
function variablesOf({ transport, oauth }: ServerEntry): readonly string[] {
  const templates =
    transport.type === 'stdio'
      ? [
          transport.command,
          ...transport.arguments,
          ...transport.environment.values(),
          ...(transport.workingDirectory === null ? [] : [transport.workingDirectory]),
        ]
      : [transport.url, ...transport.headers.values()];
  const ofLogin = [oauth?.clientId, oauth?.clientSecret].filter((one) => one !== undefined && one !== null);
  // A shell keeps its own text in `_`: in settings it has no meaning.
  return [...new Set([...templates, ...ofLogin].flatMap(namesIn))].filter((name) => name !== '_');
}

/** Includes a variable with a fallback, which may be unset. */
function namesIn(template: Template): readonly string[] {
  return template.flatMap((part) =>
    part.type === 'variable' ? [part.name, ...(part.fallback === null ? [] : namesIn(part.fallback))] : [],
  );
}
