import { describe, expect, it } from 'vitest';
import { type ClientName, clientNames } from '../clients/client-names.ts';
import { clientPlace } from './client-places.ts';

const on = (platform: NodeJS.Platform, environment: Readonly<Record<string, string>> = {}) => ({
  home: platform === 'win32' ? 'C:\\Users\\ada' : platform === 'darwin' ? '/Users/ada' : '/home/ada',
  currentDirectory: '/',
  environment,
  platform,
});

const files: Readonly<Record<ClientName, readonly [linux: string, macOs: string, windows: string]>> = {
  'claude-code': ['.claude.json', '.claude.json', '.claude.json'],
  'claude-desktop': [
    '.config/Claude/claude_desktop_config.json',
    'Library/Application Support/Claude/claude_desktop_config.json',
    'AppData/Roaming/Claude/claude_desktop_config.json',
  ],
  codex: ['.codex/config.toml', '.codex/config.toml', '.codex/config.toml'],
  cursor: ['.cursor/mcp.json', '.cursor/mcp.json', '.cursor/mcp.json'],
  vscode: [
    '.config/Code/User/mcp.json',
    'Library/Application Support/Code/User/mcp.json',
    'AppData/Roaming/Code/User/mcp.json',
  ],
  'gemini-cli': ['.gemini/settings.json', '.gemini/settings.json', '.gemini/settings.json'],
  windsurf: [
    '.codeium/windsurf/mcp_config.json',
    '.codeium/windsurf/mcp_config.json',
    '.codeium/windsurf/mcp_config.json',
  ],
  opencode: ['.config/opencode/opencode.json', '.config/opencode/opencode.json', '.config/opencode/opencode.json'],
  'copilot-cli': ['.copilot/mcp-config.json', '.copilot/mcp-config.json', '.copilot/mcp-config.json'],
  'qwen-code': ['.qwen/settings.json', '.qwen/settings.json', '.qwen/settings.json'],
  cline: [
    '.cline/data/settings/cline_mcp_settings.json',
    '.cline/data/settings/cline_mcp_settings.json',
    '.cline/data/settings/cline_mcp_settings.json',
  ],
  continue: ['.continue/config.yaml', '.continue/config.yaml', '.continue/config.yaml'],
  antigravity: ['.gemini/config/mcp_config.json', '.gemini/config/mcp_config.json', '.gemini/config/mcp_config.json'],
  zed: ['.config/zed/settings.json', '.config/zed/settings.json', 'AppData/Roaming/Zed/settings.json'],
  kiro: ['.kiro/settings/mcp.json', '.kiro/settings/mcp.json', '.kiro/settings/mcp.json'],
  'lm-studio': ['.lmstudio/mcp.json', '.lmstudio/mcp.json', '.lmstudio/mcp.json'],
};

describe.each(clientNames)('clientPlace of %s', (client) => {
  const [linux, macOs, windows] = files[client];

  it('names the file on each system', () => {
    expect(clientPlace(client, on('linux')).files.at(-1)).toBe(`/home/ada/${linux}`);
    expect(clientPlace(client, on('darwin')).files.at(-1)).toBe(`/Users/ada/${macOs}`);
    const onWindows = `C:\\Users\\ada\\${windows.replaceAll('/', '\\')}`;
    expect(clientPlace(client, on('win32')).files.at(-1)).toBe(onWindows);
  });

  it('has signs above the file, and no home as one', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const { signs } = clientPlace(client, on(platform));
      expect(signs.length).toBeGreaterThan(0);
      expect(signs).not.toContain(on(platform).home);
    }
  });
});

it('follows the variables of clients and systems', () => {
  expect(clientPlace('codex', on('linux', { CODEX_HOME: '/x' })).files).toEqual(['/x/config.toml']);
  expect(clientPlace('zed', on('win32', { APPDATA: 'D:\\Data' })).files).toEqual(['D:\\Data\\Zed\\settings.json']);
  expect(clientPlace('vscode', on('linux', { XDG_CONFIG_HOME: '/c' })).signs).toEqual(['/c/Code/User']);
});

it('looks for the scripts that npm installs on Windows', () => {
  expect(clientPlace('claude-code', on('win32')).programs).toEqual(['claude', 'claude.cmd']);
  expect(clientPlace('claude-code', on('linux')).programs).toEqual(['claude']);
});
