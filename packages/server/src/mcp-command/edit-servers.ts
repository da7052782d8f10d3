import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { type EditedTextFile, editTextFile } from '@gemini-mcp/adapters-node/internal';
import { escapeName } from '@gemini-mcp/core/internal';
import { digestOf } from '@gemini-mcp/gemini/internal';
import {
  describeProblem,
  type EditedUpstreamConfig,
  editUpstreamConfig,
  readUpstreamConfig,
  type SettingProblem,
  serverNamesIn,
  showEntry,
  type UpstreamConfigEdit,
} from '@gemini-mcp/upstreams';
import {
  done,
  type KnownFile,
  type McpContext,
  type McpResult,
  meantBy,
  noted,
  refusedCommand,
  seeList,
} from './mcp-context.ts';
import type { AddAction, McpAction, SettingsScope } from './read-mcp-words.ts';

/** Adds a server. The first request to it connects it, not this command. */
export async function addServer(action: AddAction, place: McpContext): Promise<McpResult> {
  const { server, entry, scope, replaces, remarks } = action;
  const seen = { isThere: false };
  const written = await writeSettings(
    {
      scope,
      describeProblem,
      edit: (text, file) => {
        const before = readUpstreamConfig(text ?? '{}', file);
        seen.isThere = hasServer(text, server);
        return seen.isThere && !replaces
          ? { type: 'refused', problems: before.problems.filter(({ path }) => path === '') }
          : editUpstreamConfig(text, { type: 'put', servers: new Map([[server, entry]]) }, file);
      },
    },
    place,
  );
  if (written.type === 'refused') {
    return noted(
      seen.isThere && !replaces ? refusedCommand(taken(server)) : refusedCommand(...written.problems),
      remarks,
    );
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
  return `A server named ${escapeName(server)} already exists. Choose another name, or replace it with --replace.`;
}

/** Includes entries with a mistake, which do not load as servers. */
function hasServer(text: string | null, server: string): boolean {
  return text !== null && serverNamesIn(text).includes(server);
}

/** Allows variables that the user has named. */
export function allowedNote(variables: readonly string[]): readonly string[] {
  return variables.length === 0
    ? []
    : [`Servers may now read these environment variables (mcp.variables): ${variables.join(', ')}`];
}

export function secretsNote(secrets: readonly string[]): readonly string[] {
  const seen = secrets.filter((path) => /(?:^|: )(?:args|url|httpUrl)(?: |$)/.test(path));
  const kept = secrets.filter((path) => !seen.includes(path));
  return [
    ...(kept.length === 0
      ? []
      : [
          `The settings contain these values in clear text: ${kept.map(escapeName).join(', ')}. To keep a secret out, use a reference: '$NAME' for an environment variable, file:<path>, or keychain:<name>.`,
        ]),
    ...(seen.length === 0
      ? []
      : [
          `These values may hold a secret, and other programs can see arguments and addresses: ${seen.map(escapeName).join(', ')}. Pass it in env or headers if the server accepts it there.`,
        ]),
  ];
}

type PlacesOfEntry = {
  /** The start directory of a server without its own `cwd`. */
  readonly startDirectory: string;
  /** The directory in which the user typed the command. */
  readonly currentDirectory: string;
};

/** Warns about relative paths in a server's command. */
function remarkOnPlaces(
  { command, args, cwd }: Readonly<Record<string, unknown>>,
  { startDirectory, currentDirectory }: PlacesOfEntry,
): readonly string[] {
  const remarks: string[] = [];
  if (typeof command === 'string' && /[/\\]/.test(command) && !isAbsolute(command) && !command.includes('$')) {
    remarks.push(
      `A command must be a name or an absolute path: ${escapeName(command)} cannot start. Use ${escapeName(resolve(currentDirectory, command))}, or put https:// before an address.`,
    );
  }
  const words = Array.isArray(args) && cwd === undefined && startDirectory !== currentDirectory ? args : [];
  const relative = words.filter((word) => typeof word === 'string' && isRelative(word, currentDirectory));
  if (relative.length > 0) {
    const [first = ''] = relative.map(String);
    const shown = relative.map((word) => `"${escapeName(String(word))}"`).join(', ');
    remarks.push(
      `The server starts in ${escapeName(startDirectory)}, not here, so ${shown} would point elsewhere. Use absolute paths, such as ${escapeName(resolve(currentDirectory, first))}.`,
    );
  }
  return remarks;
}

function isRelative(word: string, currentDirectory: string): boolean {
  if (word.startsWith('-') || isAbsolute(word) || word === '') {
    return false;
  }
  return /^\.{1,2}(?:[/\\]|$)/.test(word) || existsSync(resolve(currentDirectory, word));
}

type ChangeAction = Extract<McpAction, { readonly action: 'remove' | 'enable' | 'disable' }>;

const scopes: readonly SettingsScope[] = ['user', 'project'];

/** Removes, disables or enables a server in the settings that contain it. */
export async function changeServer(action: ChangeAction, place: McpContext): Promise<McpResult> {
  const problems: string[] = [];
  for (const scope of action.scope === null ? scopes.filter((one) => place.paths[one] !== null) : [action.scope]) {
    const changed = await changeIn(scope, action, place);
    if (changed !== null && changed.exitCode === 0) {
      return changed;
    }
    problems.push(changed?.note ?? '');
  }
  const told = problems.join('');
  return told === '' ? await unknown(action, place) : { ...refusedCommand(), note: told };
}

/** Null if the settings of the scope do not contain the server. */
async function changeIn(scope: SettingsScope, action: ChangeAction, place: McpContext): Promise<McpResult | null> {
  const { server } = action;
  const seen = { isThere: false };
  const change = {
    scope,
    describeProblem,
    edit: (text: string | null, file: string) => {
      seen.isThere = hasServer(text, server);
      return editUpstreamConfig(text, seen.isThere ? editFor(action) : { type: 'remove', server }, file);
    },
  };
  // Leaves a place without this server untouched.
  const looked = await writeSettings({ ...change, isPreview: true }, place);
  const written = seen.isThere ? await writeSettings(change, place) : looked;
  if (written.type === 'refused') {
    return refusedCommand(...written.problems);
  }
  const line = `${words[action.action]} ${escapeName(server)} in ${escapeName(written.path)}`;
  return seen.isThere ? noted(done(line), written.notes) : null;
}

const words = { remove: 'Removed', enable: 'Enabled', disable: 'Disabled' } as const;

function editFor({ action, server }: ChangeAction): UpstreamConfigEdit {
  return action === 'remove' ? { type: 'remove', server } : { type: 'enable', server, isEnabled: action === 'enable' };
}

async function unknown({ server, action }: ChangeAction, place: McpContext): Promise<McpResult> {
  const opened = await place.open();
  try {
    const { files, merged } = await opened.settings();
    const owner = files.find((file) => file.settings?.servers.has(server) === true);
    return refusedCommand(whyNot(server, owner, [...merged.servers.keys()], action));
  } finally {
    await opened.close();
  }
}

function whyNot(server: string, owner: KnownFile | undefined, known: readonly string[], action: string): string {
  const name = escapeName(server);
  if (owner?.scope === 'operator') {
    return `${name} is in the settings of this machine's administrator, ${escapeName(owner.path)}, which mcp ${action} does not change.`;
  }
  return `These settings have no server named ${name}. ${meantBy(server, known, seeList)}`;
}

export type WrittenSettings =
  | {
      readonly type: 'written' | 'unchanged';
      readonly path: string;
      /** Variables that the settings may now refer to. */
      readonly allowed: readonly string[];
      /** Sentences with further information or steps for the user. */
      readonly notes: readonly string[];
    }
  | { readonly type: 'refused'; readonly problems: readonly string[] };

type WriteSettingsOptions = {
  readonly scope: SettingsScope;
  /** `text` is null if the file is missing. */
  readonly edit: (text: string | null, file: string) => EditedUpstreamConfig;
  readonly describeProblem: (problem: SettingProblem) => string;
  /** Computes the new text without writing it. */
  readonly isPreview?: boolean;
};

/** Changes the settings of a scope. Approved project settings stay approved, because the user makes the change. Never rejects. */
export async function writeSettings(
  { scope, edit, describeProblem, isPreview = false }: WriteSettingsOptions,
  place: McpContext,
): Promise<WrittenSettings> {
  const path = place.paths[scope];
  if (path === null) {
    return { type: 'refused', problems: [whyNoFile[scope]] };
  }
  const seen: { before: string | null; edited: EditedUpstreamConfig | null } = { before: null, edited: null };
  const change = (text: string | null): string | null => {
    seen.before = text;
    seen.edited = edit(text, path);
    return seen.edited.type === 'edited' && !isPreview ? seen.edited.text : null;
  };
  // The project's authors may have placed a symlink there to settings that apply everywhere.
  const below = scope === 'project' ? place.projectDirectory : null;
  const written = isPreview
    ? await preview(path, change)
    : await editTextFile({ path, isPrivate: scope === 'user', edit: change, below });
  const { before, edited } = seen;
  if (written.type === 'failed') {
    return { type: 'refused', problems: [`${escapeName(path)} is unchanged: ${escapeName(written.reason)}.`] };
  }
  if (edited?.type !== 'edited') {
    return { type: 'refused', problems: [...(edited?.problems ?? []).map(describeProblem), unwritten] };
  }
  const notes =
    scope === 'project' && written.type === 'written' ? await keepApproval({ before, after: edited.text }, place) : [];
  return { type: written.type, path, allowed: edited.allowed, notes };
}

/** Creates nothing, not even a directory. */
async function preview(path: string, change: (text: string | null) => unknown): Promise<EditedTextFile> {
  try {
    change(await readFile(path, 'utf8'));
  } catch {
    // Missing or unreadable: a write would report which.
    change(null);
  }
  return { type: 'unchanged' };
}

const unwritten = 'Nothing was written.';

const whyNoFile = {
  user: 'The path of the server settings is not set. Set GEMINI_MCP_SERVERS_FILE to it.',
  project: 'Projects cannot have server settings here.',
} as const;

type Change = { readonly before: string | null; readonly after: string };

async function keepApproval({ before, after }: Change, place: McpContext): Promise<readonly string[]> {
  const { projects, projectDirectory: directory, clock } = place;
  const wasApproved = before === null || (await projects.isApproved({ directory, digest: digestOf(before) }));
  if (!wasApproved) {
    return ['The settings of this project have no effect until you approve them. Review them: mcp approve --project'];
  }
  const problem = await projects.approve({ directory, digest: digestOf(after) }, clock.now());
  return problem === null ? [] : [problem];
}
