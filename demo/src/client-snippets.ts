/** How to add a stdio server to the clients that people use. */
export function clientSnippets(command: string, args: readonly string[]): string {
  const line = [command, ...args].map(quote).join(' ');
  const server = { command, args };
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  return [
    section('Claude Code', `claude mcp add gemini -- ${line}`),
    section(
      'Codex (~/.codex/config.toml)',
      `[mcp_servers.gemini]\ncommand = ${json(command)}\nargs = ${JSON.stringify(args)}\ntool_timeout_sec = 600`,
    ),
    section('Cursor (~/.cursor/mcp.json)', json({ mcpServers: { gemini: server } })),
    section('VS Code (.vscode/mcp.json)', json({ servers: { gemini: { type: 'stdio', ...server } } })),
    section('Gemini CLI (~/.gemini/settings.json)', json({ mcpServers: { gemini: { ...server, timeout: 600_000 } } })),
  ].join('\n\n');
}

function section(title: string, text: string): string {
  return `# ${title}\n${text}`;
}

function quote(word: string): string {
  return /^[\w./:@=+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
