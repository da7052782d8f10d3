import { shellWord } from '@gemini-mcp/core/internal';
import {
  type ClientForm,
  type EntryOf,
  fromEnvironment,
  type HttpEntry,
  httpServer,
  mcpServers,
  shellHeader,
  shellLine,
  stdioServer,
} from '../client-form.ts';

const entryOf: EntryOf = (entry) => ({ type: 'stdio', ...stdioServer(entry, null) });

export const claudeCode: ClientForm = {
  names: ['claude-code'],
  passVariable: (variable) =>
    `Claude Code passes the variables of its shell on: set ${variable} there, or with \`-e ${variable}=<value>\` in \`claude mcp add\`, and start Claude Code again.`,
  entry: entryOf,
  stdio: (entry) => ({
    text: claudeCodeSnippet(`claude mcp add --scope user gemini -- ${shellLine(entry)}`, mcpServers(entryOf(entry))),
    place: 'Claude Code passes all variables of its shell on.',
  }),
  http: (entry) => ({
    text: claudeCodeSnippet(
      claudeCodeHttpLine(entry),
      mcpServers({ type: 'http', ...httpServer(entry, (name) => `\${${name}}`) }),
    ),
    place: `The line keeps the token in the settings of Claude Code.${fromEnvironment(entry, 'With .mcp.json, Claude Code')}`,
  }),
};

/** The shell command that adds an HTTP server to Claude Code. Contains the token only if the entry has one. */
export function claudeCodeHttpLine(entry: HttpEntry): string {
  // The header comes after the address, because the flag consumes all words that follow it.
  return `claude mcp add --scope user --transport http gemini ${shellWord(entry.url)} --header ${shellHeader(entry)}`;
}

function claudeCodeSnippet(line: string, settings: string): string {
  return ['Run this line:', line, '', 'Or put this into .mcp.json in your project:', settings].join('\n');
}
