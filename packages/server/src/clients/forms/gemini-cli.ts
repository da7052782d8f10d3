import { shellWord } from '@gemini-mcp/core/internal';
import {
  adviseOnSettings,
  bearer,
  type ClientForm,
  callTimeoutMs,
  type EntryOf,
  fromEnvironment,
  type HttpEntry,
  httpServer,
  mcpServers,
  type StdioEntry,
  shellLine,
  stdioServer,
} from '../client-form.ts';

/**
 * Gemini CLI expands it each time it reads its settings; an unset variable becomes an empty string. Servers get no variable
 * whose name looks like a secret, except those in `env`.
 */
const geminiReference = (name: string): string => `$${name}`;

const entryOf: EntryOf = (entry) => ({ ...stdioServer(entry, geminiReference), timeout: callTimeoutMs });

export const geminiCli: ClientForm = {
  names: ['gemini-cli-mcp-client'],
  passVariable: adviseOnSettings({ client: 'Gemini CLI', file: '~/.gemini/settings.json', reference: geminiReference }),
  entry: entryOf,
  stdio: (entry) => ({
    text: geminiSnippet(
      `gemini mcp add --scope=user --timeout=${callTimeoutMs}${environmentFlags(entry)} gemini ${shellLine(entry)}`,
      entryOf(entry),
    ),
    place: 'Gemini CLI asks before it calls a tool of a server that it does not trust.',
  }),
  http: (entry) => ({
    text: geminiSnippet(
      `gemini mcp add --scope=user --transport=http --timeout=${callTimeoutMs} --header=${headerFlag(entry)} gemini ${shellWord(entry.url)}`,
      { type: 'http', ...httpServer(entry, geminiReference), timeout: callTimeoutMs },
    ),
    place: `Versions of Gemini CLI without "type" take "httpUrl" in place of "url" and "type".${fromEnvironment(entry, 'Gemini CLI')}`,
  }),
};

/** Single quotes make Gemini CLI store the name of the variable, not its value. */
function environmentFlags({ variables }: StdioEntry): string {
  return variables.map((name) => ` --env='${name}=${geminiReference(name)}'`).join('');
}

/** Single quotes, for the same reason. */
function headerFlag(entry: HttpEntry): string {
  return `'${`Authorization: ${bearer(entry, geminiReference)}`.replaceAll("'", "'\\''")}'`;
}

function geminiSnippet(line: string, server: Readonly<Record<string, unknown>>): string {
  return ['Run this line:', line, '', 'Or put this into ~/.gemini/settings.json:', mcpServers(server)].join('\n');
}
