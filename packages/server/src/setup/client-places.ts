import type { EntryPlace } from '@gemini-mcp/upstreams';
import type { ClientName } from '../clients/client-names.ts';
import { clientFiles, pathsOf } from '../mcp-command/client-files.ts';
import type { ClientSettingsPaths } from '../mcp-command/mcp-context.ts';

/** Where a client of this user keeps the entry of this server, and what shows that the client is there. */
export type ClientPlace = {
  /** Absolute paths of its settings, the preferred first. If all are missing, the last is created. */
  readonly files: readonly string[];
  readonly entry: EntryPlace;
  /** Files and directories of which one exists once the client was started. */
  readonly signs: readonly string[];
  /** Names of its programs. */
  readonly programs: readonly string[];
};

const inJson = (section: string): EntryPlace => ({ format: 'json', path: [section, 'gemini'] });
const mcpServers = inJson('mcpServers');

const entries: Readonly<Record<ClientName, EntryPlace>> = {
  'claude-code': mcpServers,
  'claude-desktop': mcpServers,
  codex: { format: 'toml', path: ['mcp_servers', 'gemini'] },
  cursor: mcpServers,
  vscode: inJson('servers'),
  'gemini-cli': mcpServers,
  windsurf: mcpServers,
  opencode: inJson('mcp'),
  'copilot-cli': mcpServers,
  'qwen-code': mcpServers,
  cline: mcpServers,
  continue: { format: 'yaml', path: ['mcpServers', 'gemini'] },
  antigravity: mcpServers,
  zed: inJson('context_servers'),
  kiro: mcpServers,
  'lm-studio': mcpServers,
};

/** Programs that start a client. Those of editors also open windows, and are looked up but never run. */
const programs: Readonly<Record<ClientName, readonly string[]>> = {
  'claude-code': ['claude'],
  'claude-desktop': [],
  codex: ['codex'],
  cursor: ['cursor'],
  vscode: ['code'],
  'gemini-cli': ['gemini'],
  windsurf: ['windsurf'],
  opencode: ['opencode'],
  'copilot-cli': ['copilot'],
  'qwen-code': ['qwen'],
  cline: ['cline'],
  continue: ['cn'],
  antigravity: [],
  zed: ['zed'],
  kiro: ['kiro'],
  'lm-studio': ['lms'],
};

/** Finds the places of a client on a system. Paths have the form of `places.platform`, whichever system this is. */
export function clientPlace(client: ClientName, places: ClientSettingsPaths): ClientPlace {
  const files = settingsFiles(client, places);
  // npm installs programs on Windows as scripts for its shell.
  const names =
    places.platform === 'win32' ? programs[client].flatMap((name) => [name, `${name}.cmd`]) : programs[client];
  return { files, entry: entries[client], signs: signsOf(client, files, places), programs: names };
}

function settingsFiles(client: ClientName, places: ClientSettingsPaths): readonly string[] {
  const { join } = pathsOf(places);
  if (client === 'windsurf') {
    return [join(places.home, '.codeium', 'windsurf', 'mcp_config.json')];
  }
  const files = clientFiles(client, places).user;
  // The other files of these clients hold settings of another form, or are those of older releases.
  return client === 'opencode' ? files : files.slice(0, 1);
}

/** By default the directory of the settings, which the client creates. */
function signsOf(client: ClientName, files: readonly string[], places: ClientSettingsPaths): readonly string[] {
  const { join, dirname } = pathsOf(places);
  const { home } = places;
  switch (client) {
    case 'claude-code':
      return [...files, join(home, '.claude')];
    // Other clients have directories in the same place.
    case 'gemini-cli':
    case 'continue':
      return files;
    case 'antigravity':
      return [...files, join(home, '.gemini', 'antigravity')];
    case 'cline':
      return [join(home, '.cline')];
    case 'kiro':
      return [join(home, '.kiro')];
    default:
      return files.slice(0, 1).map(dirname);
  }
}
