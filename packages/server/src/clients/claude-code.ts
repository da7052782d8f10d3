import { shellWord } from '@gemini-mcp/core/internal';
import type { ClientForm } from './client-form.ts';
import type { HttpEntry } from './server-entry.ts';
import { fromEnvironment, httpServer, mcpServers, shellHeader, shellLine, stdioServer } from './settings-text.ts';

export const claudeCode: ClientForm = {
  names: ['claude-code'],
  passVariable: (variable) =>
    `Claude Code passes the variables of its shell on: set ${variable} there, or with \`-e ${variable}=<value>\` in \`claude mcp add\`, and start Claude Code again.`,
  stdio: (entry) => ({
    text: snippet(
      `claude mcp add --scope user gemini -- ${shellLine(entry)}`,
      mcpServers({ type: 'stdio', ...stdioServer(entry, null) }),
    ),
    place: 'Claude Code passes all variables of its shell on.',
  }),
  http: (entry) => ({
    text: snippet(
      claudeCodeHttpLine(entry),
      mcpServers({ type: 'http', ...httpServer(entry, (name) => `\${${name}}`) }),
    ),
    place: `The line keeps the token in the settings of Claude Code.${fromEnvironment(entry, 'With .mcp.json, Claude Code')}`,
  }),
};

/** The line of a shell that makes Claude Code use a server over HTTP. Holds the token only where it is given one. */
export function claudeCodeHttpLine(entry: HttpEntry): string {
  // The header comes after the address: the flag takes all words that follow it.
  return `claude mcp add --scope user --transport http gemini ${shellWord(entry.url)} --header ${shellHeader(entry)}`;
}

function snippet(line: string, settings: string): string {
  return ['Run this line:', line, '', 'Or put this into .mcp.json in your project:', settings].join('\n');
}
