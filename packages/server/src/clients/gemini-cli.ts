import { shellWord } from '@gemini-mcp/core/internal';
import { adviseOnSettings } from './advise-on-settings.ts';
import type { ClientForm } from './client-form.ts';
import { callTimeoutMs, type HttpEntry, type StdioEntry } from './server-entry.ts';
import { bearer, fromEnvironment, httpServer, mcpServers, shellLine, stdioServer } from './settings-text.ts';

/**
 * Gemini CLI replaces it each time that it reads its settings, by nothing where the variable is not set. Its servers get no
 * variable whose name looks like a secret, except for those in `env`.
 */
const reference = (name: string): string => `$${name}`;

export const geminiCli: ClientForm = {
  names: ['gemini-cli-mcp-client'],
  passVariable: adviseOnSettings({ client: 'Gemini CLI', file: '~/.gemini/settings.json', reference }),
  stdio: (entry) => ({
    text: snippet(
      `gemini mcp add --scope=user --timeout=${callTimeoutMs}${environmentFlags(entry)} gemini ${shellLine(entry)}`,
      { ...stdioServer(entry, reference), timeout: callTimeoutMs },
    ),
    place: 'Gemini CLI asks before it calls a tool of a server that it does not trust.',
  }),
  http: (entry) => ({
    text: snippet(
      `gemini mcp add --scope=user --transport=http --timeout=${callTimeoutMs} --header=${headerFlag(entry)} gemini ${shellWord(entry.url)}`,
      { type: 'http', ...httpServer(entry, reference), timeout: callTimeoutMs },
    ),
    place: `A Gemini CLI that does not know "type" takes "httpUrl" in place of "url" and "type".${fromEnvironment(entry, 'Gemini CLI')}`,
  }),
};

/** In single quotes, so that the settings of Gemini CLI get the name of the variable and not its value. */
function environmentFlags({ variables }: StdioEntry): string {
  return variables.map((name) => ` --env='${name}=${reference(name)}'`).join('');
}

/** In single quotes for the same reason. */
function headerFlag(entry: HttpEntry): string {
  return `'${`Authorization: ${bearer(entry, reference)}`.replaceAll("'", "'\\''")}'`;
}

function snippet(line: string, server: Readonly<Record<string, unknown>>): string {
  return ['Run this line:', line, '', 'Or put this into ~/.gemini/settings.json:', mcpServers(server)].join('\n');
}
