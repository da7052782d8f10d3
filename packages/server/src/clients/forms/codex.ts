import {
  type ClientForm,
  callTimeoutMs,
  type EntryOf,
  fromEnvironment,
  type HttpEntry,
  quotedString,
  type StdioEntry,
  tokenVariable,
} from '../client-form.ts';

const codexPlace = 'Put it into ~/.codex/config.toml.';

const entryOf: EntryOf = (entry) => ({
  command: entry.command,
  ...(entry.args.length > 0 && { args: entry.args }),
  ...(entry.variables.length > 0 && { env_vars: entry.variables }),
  tool_timeout_sec: callTimeoutMs / 1_000,
});

export const codex: ClientForm = {
  names: ['codex-mcp-client', 'codex'],
  passVariable: (variable) =>
    `Codex passes on only the variables that ~/.codex/config.toml names: add \`env_vars = ${tomlArray([variable])}\` to the entry of this server, set ${variable} in the shell, and start Codex again.`,
  entry: entryOf,
  stdio: (entry) => ({ text: table(stdioLines(entry)), place: codexPlace }),
  http: (entry) => ({ text: table(httpLines(entry)), place: `${codexPlace}${fromEnvironment(entry, 'Codex')}` }),
};

function stdioLines({ command, args, variables }: StdioEntry): readonly string[] {
  return [
    `command = ${quotedString(command)}`,
    ...(args.length === 0 ? [] : [`args = ${tomlArray(args)}`]),
    ...(variables.length === 0 ? [] : [`env_vars = ${tomlArray(variables)}`]),
  ];
}

function httpLines({ url, token }: HttpEntry): readonly string[] {
  return [
    `url = ${quotedString(url)}`,
    token === null
      ? `bearer_token_env_var = ${quotedString(tokenVariable)}`
      : `http_headers = { Authorization = ${quotedString(`Bearer ${token}`)} }`,
  ];
}

function table(lines: readonly string[]): string {
  return `${['[mcp_servers.gemini]', ...lines, `tool_timeout_sec = ${callTimeoutMs / 1_000}`].join('\n')}\n`;
}

function tomlArray(values: readonly string[]): string {
  return `[${values.map(quotedString).join(', ')}]`;
}
