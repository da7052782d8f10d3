import { adviseOnSettings } from './advise-on-settings.ts';
import type { ClientForm } from './client-form.ts';
import { type HttpEntry, hasLogin, type StdioEntry, tokenVariable } from './server-entry.ts';
import { bearer, mcpServers, stdioServer } from './settings-text.ts';

const place =
  'Put it into claude_desktop_config.json: in ~/Library/Application Support/Claude on macOS, %APPDATA%\\Claude on Windows.';

/** Claude Desktop replaces nothing in its file, so each value is a word to fill in. */
const toFillIn = (name: string): string => `<${name}>`;

export const claudeDesktop: ClientForm = {
  names: ['claude-ai', 'claude-desktop'],
  passVariable: adviseOnSettings({ client: 'Claude Desktop', file: 'claude_desktop_config.json', reference: null }),
  stdio: (entry) => ({
    text: mcpServers({ ...stdioServer(entry, null), env: stdioVariables(entry) }),
    place: [
      place,
      'Claude Desktop starts servers in / and without your variables: replace each word in angle brackets by its value.',
    ].join('\n'),
  }),
  /**
   * Claude Desktop takes only programs from its file. The machines of Anthropic call its connectors, not that of the user, and
   * they log in by OAuth. So a program in between reaches a server with a token of its own.
   */
  http: (entry) => ({
    text: mcpServers({
      command: 'npx',
      args: bridgeArguments(entry),
      env: { AUTH_HEADER: bearer(entry, toFillIn) },
    }),
    place: [
      place,
      ...(entry.token === null
        ? [`Claude Desktop replaces no variables: write the token in place of ${toFillIn(tokenVariable)}.`]
        : []),
      'Claude Desktop itself reaches HTTP servers only as connectors: from the internet, over https, with OAuth. This snippet bridges the gap with mcp-remote, a package by another author. On one machine, gemini-mcp-server (stdio) needs neither.',
    ].join('\n'),
  }),
};

function stdioVariables(entry: StdioEntry): Record<string, string> {
  const names = [...(hasLogin(entry) ? [] : ['GEMINI_API_KEY']), ...entry.variables];
  return {
    ...(entry.hasDirectory ? {} : { GEMINI_CLI_WORKING_DIR: '<absolute path of your project>' }),
    ...Object.fromEntries(names.map((name) => [name, toFillIn(name)])),
  };
}

function bridgeArguments({ url }: HttpEntry): readonly string[] {
  const { protocol, hostname } = new URL(url);
  // mcp-remote takes these two names for this machine, and no other.
  const isPlain = protocol === 'http:' && hostname !== 'localhost' && hostname !== '127.0.0.1';
  // No space in the argument, because Claude Desktop on Windows does not quote arguments.
  const header = ['--header', `Authorization:\${AUTH_HEADER}`];
  return ['-y', 'mcp-remote', url, '--transport', 'http-only', ...header, ...(isPlain ? ['--allow-http'] : [])];
}
