import type { ImportName } from './imported-server.ts';

const byPath: readonly (readonly [RegExp, ImportName])[] = [
  [/\.toml$/i, 'codex'],
  [/(?:^|[\\/])\.gemini[\\/]settings\.json$/i, 'gemini-cli'],
  [/(?:^|[\\/])claude_desktop_config\.json$/i, 'claude-desktop'],
  [/(?:^|[\\/])\.cursor[\\/][^\\/]+$/i, 'cursor'],
  [/(?:^|[\\/])(?:\.vscode|Code(?: - Insiders)?[\\/]User)[\\/]/i, 'vscode'],
  [/(?:^|[\\/])(?:\.mcp|\.claude)\.json$/i, 'claude-code'],
];

/** Whose settings a file has: by its path, otherwise by what it says. */
export function detectClient(path: string, text: string): ImportName {
  const known = byPath.find(([pattern]) => pattern.test(path))?.[1];
  if (known !== undefined) {
    return known;
  }
  if (/^\s*\[mcp_servers/m.test(text)) {
    return 'codex';
  }
  return /"servers"\s*:/.test(text) && !/"mcpServers"\s*:/.test(text) ? 'vscode' : 'claude-code';
}
