import { execa } from 'execa';

/** Clients by the names that `--print-config` knows them by. */
const clients: readonly (readonly [name: string, title: string])[] = [
  ['claude-code', 'Claude Code'],
  ['codex', 'Codex (~/.codex/config.toml)'],
  ['cursor', 'Cursor (~/.cursor/mcp.json)'],
  ['vscode', 'VS Code (.vscode/mcp.json)'],
  ['gemini-cli', 'Gemini CLI'],
];

/** How to add the built server to common clients, as printed by the server itself. Rejects if it prints nothing. */
export async function clientSnippets(serverPath: string): Promise<string> {
  const sections = await Promise.all(
    clients.map(async ([name, title]) => {
      const { stdout } = await execa(process.execPath, [serverPath, '--print-config', name]);
      return `# ${title}\n${stdout.trimEnd()}`;
    }),
  );
  return sections.join('\n\n');
}
