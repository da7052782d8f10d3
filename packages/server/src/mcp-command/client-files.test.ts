import { expect, it } from 'vitest';
import { clientFiles } from './client-files.ts';

const on = (platform: NodeJS.Platform, environment: Readonly<Record<string, string>> = {}) => ({
  home: platform === 'win32' ? 'C:\\Users\\me' : '/home/me',
  currentDirectory: '/project',
  environment,
  platform,
});

it.each([
  ['zed', 'darwin', '/home/me/.config/zed/settings.json'],
  ['zed', 'win32', 'C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json'],
  ['opencode', 'darwin', '/home/me/.config/opencode/opencode.jsonc'],
  ['opencode', 'win32', 'C:\\Users\\me\\.config\\opencode\\opencode.jsonc'],
  ['claude-desktop', 'darwin', '/home/me/Library/Application Support/Claude/claude_desktop_config.json'],
  ['vscode', 'win32', 'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json'],
] as const)('%s keeps its servers on %s in %s', (client, platform, path) => {
  expect(clientFiles(client, on(platform)).user).toContain(path);
});

it.each([
  ['claude-code', 'CLAUDE_CONFIG_DIR', '/x/.claude.json'],
  ['codex', 'CODEX_HOME', '/x/config.toml'],
  ['copilot-cli', 'COPILOT_HOME', '/x/mcp-config.json'],
  ['cline', 'CLINE_DIR', '/x/data/settings/cline_mcp_settings.json'],
  ['cline', 'CLINE_DATA_DIR', '/x/settings/cline_mcp_settings.json'],
  ['cline', 'CLINE_MCP_SETTINGS_PATH', '/x'],
  ['continue', 'CONTINUE_GLOBAL_DIR', '/x/config.yaml'],
  ['zed', 'XDG_CONFIG_HOME', '/x/zed/settings.json'],
] as const)('%s is found where %s says', (client, variable, path) => {
  const [first] = clientFiles(client, on('linux', { [variable]: '/x' })).user;
  expect(first).toBe(path);
});
