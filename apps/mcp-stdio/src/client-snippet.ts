import type { ClientName } from '@gemini-mcp/server';
import { type ClientSnippet, shellWord, tomlString } from '@gemini-mcp/server';

/** How a client starts this server. */
export type ServerCommand = {
  /** The Node that runs it, or its name where it is installed. */
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the name works only once the server is installed. */
  readonly needsInstall: boolean;
  /** Whether `args` name the working directory. */
  readonly hasDirectory: boolean;
  /** Names of variables with the login and the way to the network, which some clients pass on only when they are told to. */
  readonly variables: readonly string[];
};

/** The longest that a call may take where nothing is set, so that no client gives up before the server does. */
const callTimeoutMs = 600_000;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const mcpServers = (entry: Record<string, unknown>): string => json({ mcpServers: { gemini: entry } });

/** The entry of most clients, with each variable as the client refers to it. */
function entryOf(
  { command, args, variables }: ServerCommand,
  reference: ((name: string) => string) | null,
): Record<string, unknown> {
  const env = reference === null ? [] : variables.map((name) => [name, reference(name)]);
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

/** As Cursor, VS Code and Windsurf refer to a variable of their own environment. */
const editorReference = (name: string): string => `\${env:${name}}`;

const snippets: Readonly<Record<ClientName, (server: ServerCommand) => ClientSnippet>> = {
  'claude-code': (server) => ({
    text: [
      'Run this line:',
      `claude mcp add --scope user gemini -- ${shellLine(server)}`,
      '',
      'Or put this into .mcp.json in your project:',
      mcpServers({ type: 'stdio', ...entryOf(server, null) }),
    ].join('\n'),
    place: 'Claude Code passes all variables of its shell on.',
  }),
  'claude-desktop': (server) => ({
    text: mcpServers({ ...entryOf(server, null), env: desktopVariables(server) }),
    place: [
      'Put it into claude_desktop_config.json: in ~/Library/Application Support/Claude on macOS, %APPDATA%\\Claude on Windows.',
      'Claude Desktop starts servers in / and without your variables: replace each word in angle brackets by its value.',
    ].join('\n'),
  }),
  codex: ({ command, args, variables }) => ({
    text: [
      '[mcp_servers.gemini]',
      `command = ${tomlString(command)}`,
      ...(args.length === 0 ? [] : [`args = [${args.map(tomlString).join(', ')}]`]),
      `tool_timeout_sec = ${callTimeoutMs / 1_000}`,
      // Codex passes on a short list of variables of its own, and those that are named here.
      ...(variables.length === 0 ? [] : [`env_vars = [${variables.map(tomlString).join(', ')}]`]),
      '',
    ].join('\n'),
    place: 'Put it into ~/.codex/config.toml.',
  }),
  cursor: (server) => ({
    text: mcpServers(entryOf(server, editorReference)),
    place: 'Put it into ~/.cursor/mcp.json, or .cursor/mcp.json in your project.',
  }),
  vscode: (server) => ({
    text: json({ servers: { gemini: { type: 'stdio', ...entryOf(server, editorReference) } } }),
    place: 'Put it into .vscode/mcp.json in your project.',
  }),
  'gemini-cli': (server) => ({
    text: [
      'Run this line:',
      `gemini mcp add --scope=user --timeout=${callTimeoutMs}${geminiCliFlags(server)} gemini ${shellLine(server)}`,
      '',
      'Or put this into ~/.gemini/settings.json:',
      // Gemini CLI keeps variables whose names look like secrets from its servers, but for those in `env`.
      mcpServers({ ...entryOf(server, (name) => `$${name}`), timeout: callTimeoutMs }),
    ].join('\n'),
    place: 'Gemini CLI asks before it calls a tool of a server that it does not trust.',
  }),
  windsurf: (server) => ({
    text: mcpServers(entryOf(server, editorReference)),
    place: 'Put it into ~/.codeium/windsurf/mcp_config.json.',
  }),
};

/** What makes a client start this server. Holds the names of variables, never their values. */
export function clientSnippet(client: ClientName, server: ServerCommand): ClientSnippet {
  const { text, place } = snippets[client](server);
  return { text, place: [place, ...hints(client, server)].join('\n') };
}

function hints(client: ClientName, server: ServerCommand): readonly string[] {
  const install =
    'npx keeps this server only for some time. Install it, so that the client finds it: npm install -g gemini-mcp-server';
  const login =
    'This shell has no variable with a login, such as GEMINI_API_KEY: the server will use the login of the Gemini CLI.';
  return [
    ...(server.needsInstall ? [install] : []),
    ...(client === 'claude-desktop' || hasLogin(server) ? [] : [login]),
  ];
}

function hasLogin({ variables }: ServerCommand): boolean {
  return variables.some((name) => /^(?:GEMINI_API_KEY$|GOOGLE_)/i.test(name));
}

/** Values to fill in: Claude Desktop replaces nothing in its file. */
function desktopVariables(server: ServerCommand): Record<string, string> {
  const names = [...(hasLogin(server) ? [] : ['GEMINI_API_KEY']), ...server.variables];
  return {
    ...(server.hasDirectory ? {} : { GEMINI_CLI_WORKING_DIR: '<absolute path of your project>' }),
    ...Object.fromEntries(names.map((name) => [name, `<${name}>`])),
  };
}

/** In quotes, so that the settings of Gemini CLI get the name of the variable and not its value. */
function geminiCliFlags({ variables }: ServerCommand): string {
  return variables.map((name) => ` --env='${name}=$${name}'`).join('');
}

function shellLine({ command, args }: ServerCommand): string {
  return [command, ...args].map(shellWord).join(' ');
}
