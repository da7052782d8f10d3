import { join } from 'node:path';
import type { ImportName } from '@gemini-mcp/upstreams';
import type { ClientSettingsPaths } from './mcp-context.ts';

/** The files in which a client keeps its servers. */
type ClientFiles = {
  /** Absolute paths of its user's settings, highest precedence first. */
  readonly user: readonly string[];
  /** Relative paths in a project. Strangers may have written these files, so they are read only by explicit path. */
  readonly project: readonly string[];
};

/** Where a client keeps its servers on this system. */
export function clientFiles(client: ImportName, places: ClientSettingsPaths): ClientFiles {
  return { user: userFiles[client](places), project: projectFiles[client] };
}

const userFiles: Readonly<Record<ImportName, (places: ClientSettingsPaths) => readonly string[]>> = {
  'gemini-cli': ({ home, environment }) => [join(environment['GEMINI_CLI_HOME'] || home, '.gemini', 'settings.json')],
  'claude-code': ({ home, environment }) => [join(environment['CLAUDE_CONFIG_DIR'] || home, '.claude.json')],
  'claude-desktop': (places) => [join(applicationData(places), 'Claude', 'claude_desktop_config.json')],
  vscode: (places) => ['mcp.json', 'settings.json'].map((name) => join(applicationData(places), 'Code', 'User', name)),
  cursor: ({ home }) => [join(home, '.cursor', 'mcp.json')],
  codex: ({ home, environment }) => [join(environment['CODEX_HOME'] || join(home, '.codex'), 'config.toml')],
  // On every system below ~/.config.
  opencode: (places) =>
    ['opencode.jsonc', 'opencode.json'].map((name) => join(configurationDirectory(places), 'opencode', name)),
  'copilot-cli': ({ home, environment }) => [
    join(environment['COPILOT_HOME'] || join(home, '.copilot'), 'mcp-config.json'),
  ],
  'qwen-code': ({ home }) => [join(home, '.qwen', 'settings.json')],
  cline: clineFiles,
  continue: ({ home, environment }) => [
    join(environment['CONTINUE_GLOBAL_DIR'] || join(home, '.continue'), 'config.yaml'),
  ],
  // The second path is that of the first releases.
  antigravity: ({ home }) => ['config', 'antigravity'].map((name) => join(home, '.gemini', name, 'mcp_config.json')),
  zed: (places) =>
    places.platform === 'win32'
      ? [join(applicationData(places), 'Zed', 'settings.json')]
      : [join(configurationDirectory(places), 'zed', 'settings.json')],
  kiro: ({ home }) => [join(home, '.kiro', 'settings', 'mcp.json')],
  'lm-studio': ({ home }) => [join(home, '.lmstudio', 'mcp.json')],
};

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
  const { home, environment } = places;
  const name = 'cline_mcp_settings.json';
  const data = environment['CLINE_DATA_DIR'] || join(environment['CLINE_DIR'] || join(home, '.cline'), 'data');
  const extension = join(applicationData(places), 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev');
  return [environment['CLINE_MCP_SETTINGS_PATH'] || join(data, 'settings', name), join(extension, 'settings', name)];
}

function applicationData(places: ClientSettingsPaths): string {
  switch (places.platform) {
    case 'darwin':
      return join(places.home, 'Library', 'Application Support');
    case 'win32':
      return places.environment['APPDATA'] || join(places.home, 'AppData', 'Roaming');
    default:
      return configurationDirectory(places);
  }
}

function configurationDirectory({ home, environment }: ClientSettingsPaths): string {
  return environment['XDG_CONFIG_HOME'] || join(home, '.config');
}
