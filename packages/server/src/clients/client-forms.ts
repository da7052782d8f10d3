import { shellWord } from '@gemini-mcp/core/internal';
import type { ClientName } from './client-names.ts';

/** How a client starts a server over stdio. Holds the names of variables, never their values. */
export type StdioEntry = {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether `args` name the working directory. */
  readonly hasDirectory: boolean;
  /** Names of login and proxy variables, which some clients pass on only if their settings name them. */
  readonly variables: readonly string[];
};

/** The address of an HTTP server and the token for it. */
export type HttpEntry = {
  /** The URL of `/mcp`. */
  readonly url: string;
  /** The token itself, for the one time that a new one is shown; null if the client takes it from elsewhere. */
  readonly token: string | null;
};

/** The variable that holds the token of an HTTP server for clients. */
const tokenVariable = 'GEMINI_MCP_TOKEN';

/** The longest default timeout of a call, so that no client gives up before the server does. */
const callTimeoutMs = 600_000;

/** Whether one of the variables holds a login for Google. */
export function hasLogin({ variables }: Pick<StdioEntry, 'variables'>): boolean {
  return variables.some((name) => /^(?:GEMINI_API_KEY$|GOOGLE_)/i.test(name));
}

export type ClientSnippet = {
  /** The text for the client's settings, or a command for a shell. */
  readonly text: string;
  /** Says where the text goes, and what else the reader should know. */
  readonly place: string;
};

/** The names of one AI client, and its settings for each transport. */
type ClientForm = {
  /** The client's names in `clientInfo`, in lower case. */
  readonly names: readonly string[];
  /** How a variable reaches a server that the client starts: a sentence that ends with the start of the client. */
  readonly passVariable: (variable: string) => string;
  readonly stdio: (entry: StdioEntry) => ClientSnippet;
  readonly http: (entry: HttpEntry) => ClientSnippet;
};

/** Formats a reference to an environment variable in a client's settings. */
type Reference = (name: string) => string;

/** The syntax of Cursor, VS Code and Windsurf. */
const editorReference: Reference = (name) => `\${env:${name}}`;

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The settings of most clients, with this one server. */
function mcpServers(server: Readonly<Record<string, unknown>>): string {
  return json({ mcpServers: { gemini: server } });
}

/** A stdio server in the form most clients read. Without a `reference`, the client passes its variables on by itself. */
function stdioServer({ command, args, variables }: StdioEntry, reference: Reference | null): Record<string, unknown> {
  const env = reference === null ? [] : variables.map((name) => [name, reference(name)]);
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

/** An HTTP server in the form most clients read. */
function httpServer(entry: HttpEntry, reference: Reference): Record<string, unknown> {
  return { url: entry.url, headers: authorization(entry, reference) };
}

function authorization(entry: HttpEntry, reference: Reference): { readonly Authorization: string } {
  return { Authorization: bearer(entry, reference) };
}

/** The value of the header, with the token or a reference that the client replaces. */
function bearer({ token }: HttpEntry, reference: Reference): string {
  return `Bearer ${token ?? reference(tokenVariable)}`;
}

/** The header as one shell word; the shell expands the variable. */
export function shellHeader(entry: HttpEntry): string {
  return entry.token === null
    ? `"Authorization: Bearer $${tokenVariable}"`
    : shellWord(`Authorization: Bearer ${entry.token}`);
}

/** The shell command that starts the server. */
function shellLine({ command, args }: StdioEntry): string {
  return [command, ...args].map(shellWord).join(' ');
}

/** Ends a sentence about where settings go. */
function fromEnvironment({ token }: HttpEntry, client: string): string {
  return token === null ? ` ${client} takes the token from ${tokenVariable} in its own environment.` : '';
}

type SettingsAdvice = {
  /** The client's product name. */
  readonly client: string;
  readonly file: string;
  /** Null if the file takes the value itself. */
  readonly reference: Reference | null;
};

/** Explains how to pass a variable to a server in the `env` of its settings entry. */
function adviseOnSettings({ client, file, reference }: SettingsAdvice): (variable: string) => string {
  return (variable) => {
    const value = reference === null ? `<${variable}>` : reference(variable);
    const source =
      reference === null
        ? ' with the value in place of the angle brackets,'
        : ` set ${variable} where ${client} is started,`;
    return `${client} takes it from ${file}: add \`"env": { "${variable}": "${value}" }\` to the entry of this server,${source} and start ${client} again.`;
  };
}

const claudeCode: ClientForm = {
  names: ['claude-code'],
  passVariable: (variable) =>
    `Claude Code passes the variables of its shell on: set ${variable} there, or with \`-e ${variable}=<value>\` in \`claude mcp add\`, and start Claude Code again.`,
  stdio: (entry) => ({
    text: claudeCodeSnippet(
      `claude mcp add --scope user gemini -- ${shellLine(entry)}`,
      mcpServers({ type: 'stdio', ...stdioServer(entry, null) }),
    ),
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

const desktopPlace =
  'Put it into claude_desktop_config.json: in ~/Library/Application Support/Claude on macOS, %APPDATA%\\Claude on Windows.';

/** Claude Desktop does not expand variables in its file, so each value is a placeholder to fill in. */
const toFillIn = (name: string): string => `<${name}>`;

const claudeDesktop: ClientForm = {
  names: ['claude-ai', 'claude-desktop'],
  passVariable: adviseOnSettings({ client: 'Claude Desktop', file: 'claude_desktop_config.json', reference: null }),
  stdio: (entry) => ({
    text: mcpServers({ ...stdioServer(entry, null), env: stdioVariables(entry) }),
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
      desktopPlace,
      ...(entry.token === null
        ? [`Claude Desktop replaces no variables: write the token in desktopPlace of ${toFillIn(tokenVariable)}.`]
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
  // mcp-remote accepts only these two names as local.
  const isPlain = protocol === 'http:' && hostname !== 'localhost' && hostname !== '127.0.0.1';
  // No space in the argument, because Claude Desktop on Windows does not quote arguments.
  const header = ['--header', `Authorization:\${AUTH_HEADER}`];
  return ['-y', 'mcp-remote', url, '--transport', 'http-only', ...header, ...(isPlain ? ['--allow-http'] : [])];
}

const codexPlace = 'Put it into ~/.codex/config.toml.';

const codex: ClientForm = {
  names: ['codex-mcp-client', 'codex'],
  passVariable: (variable) =>
    `Codex passes on only the variables that ~/.codex/config.toml names: add \`env_vars = ${tomlArray([variable])}\` to the entry of this server, set ${variable} in the shell, and start Codex again.`,
  stdio: (entry) => ({ text: table(stdioLines(entry)), place: codexPlace }),
  http: (entry) => ({ text: table(httpLines(entry)), place: `${codexPlace}${fromEnvironment(entry, 'Codex')}` }),
};

function stdioLines({ command, args, variables }: StdioEntry): readonly string[] {
  return [
    `command = ${tomlString(command)}`,
    ...(args.length === 0 ? [] : [`args = ${tomlArray(args)}`]),
    ...(variables.length === 0 ? [] : [`env_vars = ${tomlArray(variables)}`]),
  ];
}

function httpLines({ url, token }: HttpEntry): readonly string[] {
  return [
    `url = ${tomlString(url)}`,
    token === null
      ? `bearer_token_env_var = ${tomlString(tokenVariable)}`
      : `http_headers = { Authorization = ${tomlString(`Bearer ${token}`)} }`,
  ];
}

function table(lines: readonly string[]): string {
  return `${['[mcp_servers.gemini]', ...lines, `tool_timeout_sec = ${callTimeoutMs / 1_000}`].join('\n')}\n`;
}

function tomlArray(values: readonly string[]): string {
  return `[${values.map(tomlString).join(', ')}]`;
}

/** A TOML basic string: a JSON string with DEL escaped too, which JSON leaves as it is. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

const cursorPlace = 'Put it into ~/.cursor/mcp.json, or .cursor/mcp.json in your project.';

const cursor: ClientForm = {
  names: ['cursor-vscode', 'cursor'],
  passVariable: adviseOnSettings({
    client: 'Cursor',
    file: '~/.cursor/mcp.json or .cursor/mcp.json',
    reference: editorReference,
  }),
  stdio: (entry) => ({ text: mcpServers(stdioServer(entry, editorReference)), place: cursorPlace }),
  http: (entry) => ({
    text: mcpServers(httpServer(entry, editorReference)),
    place: `${cursorPlace}${fromEnvironment(entry, 'Cursor')}`,
  }),
};

/**
 * Gemini CLI expands it each time it reads its settings; an unset variable becomes an empty string. Servers get no variable
 * whose name looks like a secret, except those in `env`.
 */
const geminiReference = (name: string): string => `$${name}`;

const geminiCli: ClientForm = {
  names: ['gemini-cli-mcp-client'],
  passVariable: adviseOnSettings({ client: 'Gemini CLI', file: '~/.gemini/settings.json', reference: geminiReference }),
  stdio: (entry) => ({
    text: geminiSnippet(
      `gemini mcp add --scope=user --timeout=${callTimeoutMs}${environmentFlags(entry)} gemini ${shellLine(entry)}`,
      { ...stdioServer(entry, geminiReference), timeout: callTimeoutMs },
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

const vscodePlace = 'Put it into .vscode/mcp.json in your project.';

const tokenInput = {
  type: 'promptString',
  id: 'gemini-mcp-token',
  description: 'Token of the Gemini MCP server',
  password: true,
} as const;

const vscode: ClientForm = {
  names: ['visual studio code', 'visual studio code - insiders'],
  passVariable: adviseOnSettings({ client: 'VS Code', file: '.vscode/mcp.json', reference: editorReference }),
  stdio: (entry) => ({
    text: json({ servers: { gemini: { type: 'stdio', ...stdioServer(entry, editorReference) } } }),
    place: vscodePlace,
  }),
  http: (entry) => ({
    text: json({
      ...(entry.token === null ? { inputs: [tokenInput] } : {}),
      servers: { gemini: { type: 'http', ...httpServer(entry, () => `\${input:${tokenInput.id}}`) } },
    }),
    place: entry.token === null ? `${vscodePlace} VS Code asks for the token once, and keeps it.` : vscodePlace,
  }),
};

const windsurfPlace = 'Put it into ~/.codeium/windsurf/mcp_config.json.';

const windsurf: ClientForm = {
  names: ['windsurf-client', 'windsurf'],
  passVariable: adviseOnSettings({
    client: 'Windsurf',
    file: '~/.codeium/windsurf/mcp_config.json',
    reference: editorReference,
  }),
  stdio: (entry) => ({ text: mcpServers(stdioServer(entry, editorReference)), place: windsurfPlace }),
  http: (entry) => ({
    text: mcpServers({ serverUrl: entry.url, headers: authorization(entry, editorReference) }),
    place: `${windsurfPlace}${fromEnvironment(entry, 'Windsurf')}`,
  }),
};

/** The source of the snippets in `--print-config` and in the documents. */
export const clientForms: Readonly<Record<ClientName, ClientForm>> = {
  'claude-code': claudeCode,
  'claude-desktop': claudeDesktop,
  codex,
  cursor,
  vscode,
  'gemini-cli': geminiCli,
  windsurf,
};

const forms: ReadonlyMap<string, ClientForm> = new Map(
  Object.values(clientForms).flatMap((form) => form.names.map((name) => [name, form] as const)),
);

/** The client with this name, or null if unknown. The client chooses the name itself, so use it for advice only. */
export function findClient(clientName: string | null): ClientForm | null {
  return clientName === null ? null : (forms.get(clientName.toLowerCase()) ?? null);
}
