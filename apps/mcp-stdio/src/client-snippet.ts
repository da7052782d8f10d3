import type { ClientName } from '@gemini-mcp/server';
import { type ClientSnippet, shellWord, tomlString } from '@gemini-mcp/server';

/** How a client is to start this server. */
export type ServerCommand = {
  /** The Node that runs it. */
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the environment has an API key, which some clients hand on only when they are told to. */
  readonly hasApiKey: boolean;
};

/** The longest that a call may take where nothing is set, so that no client gives up before the server does. */
const callTimeoutMs = 600_000;

const keyVariable = 'GEMINI_API_KEY';

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const mcpServers = ({ command, args }: ServerCommand, more: Record<string, unknown> = {}): string =>
  json({ mcpServers: { gemini: { ...more, command, args } } });

const snippets: Readonly<Record<ClientName, (server: ServerCommand) => ClientSnippet>> = {
  'claude-code': (server) => ({
    text: mcpServers(server, { type: 'stdio' }),
    place: `Put it into .mcp.json in your project, or run: claude mcp add gemini -- ${shellLine(server)}`,
  }),
  'claude-desktop': (server) => ({
    text: mcpServers(server),
    place:
      'Put it into claude_desktop_config.json: in ~/Library/Application Support/Claude on macOS, %APPDATA%\\Claude on Windows.',
  }),
  codex: ({ command, args, hasApiKey }) => ({
    text: [
      '[mcp_servers.gemini]',
      `command = ${tomlString(command)}`,
      `args = [${args.map(tomlString).join(', ')}]`,
      `tool_timeout_sec = ${callTimeoutMs / 1_000}`,
      // Codex hands on a short list of variables of its own, and those that are named here.
      ...(hasApiKey ? [`env_vars = [${tomlString(keyVariable)}]`] : []),
      '',
    ].join('\n'),
    place: 'Put it into ~/.codex/config.toml.',
  }),
  cursor: (server) => ({
    text: mcpServers(server),
    place: 'Put it into ~/.cursor/mcp.json, or .cursor/mcp.json in your project.',
  }),
  vscode: ({ command, args }) => ({
    text: json({ servers: { gemini: { type: 'stdio', command, args } } }),
    place: 'Put it into .vscode/mcp.json in your project.',
  }),
  'gemini-cli': (server) => ({
    text: [
      'Run this line:',
      `gemini mcp add --scope=user --timeout=${callTimeoutMs}${geminiCliKeyFlag(server)} gemini ${shellLine(server)}`,
      '',
      'Or put this into ~/.gemini/settings.json:',
      json({ mcpServers: { gemini: geminiCliEntry(server) } }),
    ].join('\n'),
    place: 'Gemini CLI asks before it calls a tool of a server that it does not trust.',
  }),
  windsurf: (server) => ({
    text: mcpServers(server),
    place: 'Put it into ~/.codeium/windsurf/mcp_config.json.',
  }),
};

/** What makes a client start this server. */
export function clientSnippet(client: ClientName, server: ServerCommand): ClientSnippet {
  return snippets[client](server);
}

/** Gemini CLI keeps variables whose names look like secrets from its servers, but for those that stand in `env`. */
function geminiCliEntry({ command, args, hasApiKey }: ServerCommand): Record<string, unknown> {
  const env = hasApiKey ? { env: { [keyVariable]: `$${keyVariable}` } } : {};
  return { command, args, timeout: callTimeoutMs, ...env };
}

/** The same for its command line: in quotes, so that its settings get the name of the variable and not the key. */
function geminiCliKeyFlag({ hasApiKey }: ServerCommand): string {
  return hasApiKey ? ` --env='${keyVariable}=$${keyVariable}'` : '';
}

function shellLine({ command, args }: ServerCommand): string {
  return [command, ...args].map(shellWord).join(' ');
}
