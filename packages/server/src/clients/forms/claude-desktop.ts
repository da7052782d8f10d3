import {
  adviseOnSettings,
  bearer,
  type ClientForm,
  directoryToFillIn,
  type EntryOf,
  type HttpEntry,
  mcpServers,
  stdioServer,
  toFillIn,
  tokenToFillIn,
  valuesToFillIn,
} from '../client-form.ts';

const desktopPlace =
  'Put it into claude_desktop_config.json: in ~/Library/Application Support/Claude on macOS, %APPDATA%\\Claude on Windows.';

const entryOf: EntryOf = (entry) => ({
  ...stdioServer(entry, null),
  env: { ...directoryToFillIn(entry), ...valuesToFillIn(entry) },
});

export const claudeDesktop: ClientForm = {
  names: ['claude-ai', 'claude-desktop'],
  passVariable: adviseOnSettings({ client: 'Claude Desktop', file: 'claude_desktop_config.json', reference: null }),
  entry: entryOf,
  stdio: (entry) => ({
    text: mcpServers(entryOf(entry)),
    place: [
      desktopPlace,
      'Claude Desktop starts servers in / and without your variables: replace each word in angle brackets with its value.',
    ].join('\n'),
  }),
  /**
   * Claude Desktop's file configures only local programs. Its connectors are called from Anthropic's machines, not the user's,
   * and log in by OAuth. A bridge program therefore reaches a server that uses a token.
   */
  http: (entry) => ({
    text: mcpServers({
      command: 'npx',
      args: bridgeArguments(entry),
      env: { AUTH_HEADER: bearer(entry, toFillIn) },
    }),
    place: [
      `${desktopPlace}${tokenToFillIn(entry, 'Claude Desktop')}`,
      'Claude Desktop itself reaches HTTP servers only as connectors: from the internet, over https, with OAuth. This snippet bridges the gap with mcp-remote, a package by another author. On one machine, gemini-mcp-server (stdio) needs neither.',
    ].join('\n'),
  }),
};

function bridgeArguments({ url }: HttpEntry): readonly string[] {
  const { protocol, hostname } = new URL(url);
  // mcp-remote accepts only these two names as local.
  const isPlain = protocol === 'http:' && hostname !== 'localhost' && hostname !== '127.0.0.1';
  // No space in the argument, because Claude Desktop on Windows does not quote arguments.
  const header = ['--header', `Authorization:\${AUTH_HEADER}`];
  return ['-y', 'mcp-remote', url, '--transport', 'http-only', ...header, ...(isPlain ? ['--allow-http'] : [])];
}
