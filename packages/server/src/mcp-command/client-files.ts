import { join } from 'node:path';
import type { ImportName } from '@gemini-mcp/hub';
import type { ClientPlaces } from './mcp-place.ts';

/** The files in which a client keeps its user's own settings of servers, the one with the last word first. */
export function clientFiles(client: ImportName, places: ClientPlaces): readonly string[] {
  const { home, environment } = places;
  switch (client) {
    case 'gemini-cli':
      return [join(environment['GEMINI_CLI_HOME'] || home, '.gemini', 'settings.json')];
    case 'claude-code':
      return [
        environment['CLAUDE_CONFIG_DIR']
          ? join(environment['CLAUDE_CONFIG_DIR'], '.claude.json')
          : join(home, '.claude.json'),
      ];
    case 'claude-desktop':
      return [join(applicationData(places), 'Claude', 'claude_desktop_config.json')];
    case 'vscode':
      return ['mcp.json', 'settings.json'].map((name) => join(applicationData(places), 'Code', 'User', name));
    case 'cursor':
      return [join(home, '.cursor', 'mcp.json')];
    case 'codex':
      return [join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml')];
  }
}

/** Files that a project brings, and that strangers may have written: they are read when they are named. */
export function projectFiles(client: ImportName): readonly string[] {
  const files: Readonly<Record<ImportName, readonly string[]>> = {
    'gemini-cli': ['.gemini/settings.json'],
    'claude-code': ['.mcp.json'],
    'claude-desktop': [],
    vscode: ['.vscode/mcp.json'],
    cursor: ['.cursor/mcp.json'],
    codex: ['.codex/config.toml'],
  };
  return files[client];
}

function applicationData({ home, environment, platform }: ClientPlaces): string {
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support');
    case 'win32':
      return environment['APPDATA'] || join(home, 'AppData', 'Roaming');
    default:
      return environment['XDG_CONFIG_HOME'] || join(home, '.config');
  }
}
