import { shellWord } from '@gemini-mcp/core/internal';

/** How a client starts a server over stdio. Holds the names of variables, never their values. */
export type StdioEntry = {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether `args` name the working directory. */
  readonly hasDirectory: boolean;
  /** Whether the server finds a stored login, so that no variable has to hold one. */
  readonly hasStoredLogin: boolean;
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

export type ClientSnippet = {
  /** The text for the client's settings, or a command for a shell. */
  readonly text: string;
  /** Says where the text goes, and what else the reader should know. */
  readonly place: string;
};

export type EntryOf = (entry: StdioEntry) => Readonly<Record<string, unknown>>;

/** The names of one AI client, and its settings for each transport. */
export type ClientForm = {
  /** The client's names in `clientInfo`, in lower case. */
  readonly names: readonly string[];
  /** How a variable reaches a server that the client starts: a sentence that ends with the start of the client. */
  readonly passVariable: (variable: string) => string;
  /** The entry of a stdio server in the client's settings, under its name. */
  readonly entry: EntryOf;
  readonly stdio: (entry: StdioEntry) => ClientSnippet;
  readonly http: (entry: HttpEntry) => ClientSnippet;
};

/** The variable that holds the token of an HTTP server for clients. */
export const tokenVariable = 'GEMINI_MCP_TOKEN';

/** The longest default timeout of a call, so that no client gives up before the server does. */
export const callTimeoutMs = 600_000;

/** Formats a reference to an environment variable in a client's settings. */
export type Reference = (name: string) => string;

/** The syntax of Cursor, VS Code and Windsurf. */
export const editorReference: Reference = (name) => `\${env:${name}}`;

/** The syntax of a shell. */
export const shellReference: Reference = (name) => `\${${name}}`;

/** For a client that replaces no references in its settings: a placeholder that the reader replaces. */
export const toFillIn: Reference = (name) => `<${name}>`;

/** Whether a value of an entry is such a placeholder. */
export function isToFillIn(value: string): boolean {
  return /^<.*>$/.test(value);
}

/** Whether the server has a login for Google, stored or in one of the variables. */
export function hasLogin({ variables, hasStoredLogin }: Pick<StdioEntry, 'variables' | 'hasStoredLogin'>): boolean {
  return hasStoredLogin || variables.some((name) => /^(?:GEMINI_API_KEY$|GOOGLE_)/i.test(name));
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The settings of most clients, with this one server. */
export function mcpServers(server: Readonly<Record<string, unknown>>): string {
  return json({ mcpServers: { gemini: server } });
}

/** A stdio server in the form most clients read. Without a `reference`, the client passes its variables on by itself. */
export function stdioServer(
  { command, args, variables }: StdioEntry,
  reference: Reference | null,
): Record<string, unknown> {
  const env = reference === null ? [] : variables.map((name) => [name, reference(name)]);
  return {
    command,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
  };
}

/** The `env` of a stdio server whose client replaces no references: the reader fills in the values. */
export function valuesToFillIn(entry: StdioEntry): Record<string, string> {
  const names = [...(hasLogin(entry) ? [] : ['GEMINI_API_KEY']), ...entry.variables];
  return Object.fromEntries(names.map((name) => [name, toFillIn(name)]));
}

/** The part of `env` for a client that starts servers outside of the project: the directory of relative names. */
export function directoryToFillIn({ hasDirectory }: StdioEntry): Record<string, string> {
  return hasDirectory ? {} : { GEMINI_CLI_WORKING_DIR: '<absolute path of your project>' };
}

/** An HTTP server in the form most clients read. */
export function httpServer(entry: HttpEntry, reference: Reference): Record<string, unknown> {
  return { url: entry.url, headers: authorization(entry, reference) };
}

export function authorization(entry: HttpEntry, reference: Reference): { readonly Authorization: string } {
  return { Authorization: bearer(entry, reference) };
}

/** The value of the header, with the token or a reference that the client replaces. */
export function bearer({ token }: HttpEntry, reference: Reference): string {
  return `Bearer ${token ?? reference(tokenVariable)}`;
}

/** The header as one shell word; the shell expands the variable. */
export function shellHeader(entry: HttpEntry): string {
  return entry.token === null
    ? `"Authorization: Bearer $${tokenVariable}"`
    : shellWord(`Authorization: Bearer ${entry.token}`);
}

/** The shell command that starts the server. */
export function shellLine({ command, args }: StdioEntry): string {
  return [command, ...args].map(shellWord).join(' ');
}

/** A string in double quotes, which TOML and YAML read alike: JSON with DEL escaped too. */
export function quotedString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** Ends a sentence about where settings go. */
export function fromEnvironment({ token }: HttpEntry, client: string): string {
  return token === null ? ` ${client} takes the token from ${tokenVariable} in its own environment.` : '';
}

/** Ends a sentence about where settings go, for a client that replaces no references. */
export function tokenToFillIn({ token }: HttpEntry, client: string): string {
  return token === null
    ? ` ${client} replaces no variables: write the token in place of ${toFillIn(tokenVariable)}.`
    : '';
}

/** Explains how to pass a variable to a server of a client that passes on those of its own environment. */
export function adviseOnEnvironment(client: string): (variable: string) => string {
  return (variable) =>
    `${client} passes the variables of its own environment on: set ${variable} there, and start ${client} again.`;
}

type SettingsAdvice = {
  /** The client's product name. */
  readonly client: string;
  readonly file: string;
  /** Null if the file takes the value itself. */
  readonly reference: Reference | null;
};

/** Explains how to pass a variable to a server in the `env` of its settings entry. */
export function adviseOnSettings({ client, file, reference }: SettingsAdvice): (variable: string) => string {
  return (variable) => {
    const value = reference === null ? toFillIn(variable) : reference(variable);
    const source =
      reference === null
        ? ' with the value in place of the angle brackets,'
        : ` set ${variable} where ${client} is started,`;
    return `${client} takes it from ${file}: add \`"env": { "${variable}": "${value}" }\` to the entry of this server,${source} and start ${client} again.`;
  };
}
