import path from 'node:path';
import type { ImportName } from '@gemini-mcp/upstreams';
import type { ClientSettingsPaths } from './mcp-context.ts';

/** The files in which a client keeps its servers. */
type ClientFiles = {
  /** Absolute paths of its user's settings, highest precedence first. */
  readonly user: readonly string[];
  /** Relative paths in a project. Strangers may have written these files, so they are read only by explicit path. */
  readonly project: readonly string[];
};

/** The path functions of a system. */
export function pathsOf({ platform }: Pick<ClientSettingsPaths, 'platform'>): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** Where a client keeps its servers on a system. */
export function clientFiles(client: ImportName, places: ClientSettingsPaths): ClientFiles {
  return { user: userFiles[client](places), project: projectFiles[client] };
}

const userFiles: Readonly<Record<ImportName, (places: ClientSettingsPaths) => readonly string[]>> = {
  'gemini-cli': (places) => [joined(places, 'GEMINI_CLI_HOME', [], ['.gemini', 'settings.json'])],
  'claude-code': (places) => [joined(places, 'CLAUDE_CONFIG_DIR', [], ['.claude.json'])],
  'claude-desktop': (places) => [pathsOf(places).join(applicationData(places), 'Claude', 'claude_desktop_config.json')],
  vscode: (places) =>
    ['mcp.json', 'settings.json'].map((name) => pathsOf(places).join(applicationData(places), 'Code', 'User', name)),
  cursor: (places) => [inHome(places, '.cursor', 'mcp.json')],
  codex: (places) => [joined(places, 'CODEX_HOME', ['.codex'], ['config.toml'])],
  // On every system below ~/.config.
  opencode: (places) =>
    ['opencode.jsonc', 'opencode.json'].map((name) =>
      pathsOf(places).join(configurationDirectory(places), 'opencode', name),
    ),
  'copilot-cli': (places) => [joined(places, 'COPILOT_HOME', ['.copilot'], ['mcp-config.json'])],
  'qwen-code': (places) => [inHome(places, '.qwen', 'settings.json')],
  cline: clineFiles,
  continue: (places) => [joined(places, 'CONTINUE_GLOBAL_DIR', ['.continue'], ['config.yaml'])],
  // The second path is that of the first releases.
  antigravity: (places) => ['config', 'antigravity'].map((name) => inHome(places, '.gemini', name, 'mcp_config.json')),
  zed: (places) =>
    places.platform === 'win32'
      ? [pathsOf(places).join(applicationData(places), 'Zed', 'settings.json')]
      : [pathsOf(places).join(configurationDirectory(places), 'zed', 'settings.json')],
  kiro: (places) => [inHome(places, '.kiro', 'settings', 'mcp.json')],
  'lm-studio': (places) => [inHome(places, '.lmstudio', 'mcp.json')],
};

function inHome(places: ClientSettingsPaths, ...names: readonly string[]): string {
  return pathsOf(places).join(places.home, ...names);
}

/** A path in the directory that a variable names, by default one in the home. */
function joined(
  places: ClientSettingsPaths,
  variable: string,
  usual: readonly string[],
  names: readonly string[],
): string {
  return pathsOf(places).join(places.environment[variable] || inHome(places, ...usual), ...names);
}

const projectFiles: Readonly<Record<ImportName, readonly string[]>> = {
  'gemini-cli': ['.gemini/settings.json'],
  'claude-code': ['.mcp.json'],
  'claude-desktop': [],
  vscode: ['.vscode/mcp.json'],
  cursor: ['.cursor/mcp.json'],
  codex: ['.codex/config.toml'],
  opencode: ['opencode.json', 'opencode.jsonc'],
  'copilot-cli': ['.mcp.json', '.github/mcp.json'],
  'qwen-code': ['.qwen/settings.json'],
  cline: [],
  continue: [],
  antigravity: ['.agents/mcp_config.json'],
  zed: ['.zed/settings.json'],
  kiro: ['.kiro/settings/mcp.json'],
  'lm-studio': [],
};

/** The shared file, then that of the older extension for VS Code. */
function clineFiles(places: ClientSettingsPaths): readonly string[] {
  const { environment } = places;
  const { join } = pathsOf(places);
  const name = 'cline_mcp_settings.json';
  const data = environment['CLINE_DATA_DIR'] || joined(places, 'CLINE_DIR', ['.cline'], ['data']);
  const extension = join(applicationData(places), 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev');
  return [environment['CLINE_MCP_SETTINGS_PATH'] || join(data, 'settings', name), join(extension, 'settings', name)];
}

function applicationData(places: ClientSettingsPaths): string {
  switch (places.platform) {
    case 'darwin':
      return inHome(places, 'Library', 'Application Support');
    case 'win32':
      return places.environment['APPDATA'] || inHome(places, 'AppData', 'Roaming');
    default:
      return configurationDirectory(places);
  }
}

function configurationDirectory(places: ClientSettingsPaths): string {
  return places.environment['XDG_CONFIG_HOME'] || inHome(places, '.config');
}
