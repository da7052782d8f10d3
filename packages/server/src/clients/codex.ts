import { tomlString } from '../command-line/quoted-words.ts';
import type { ClientForm } from './client-form.ts';
import { callTimeoutMs, type HttpEntry, type StdioEntry, tokenVariable } from './server-entry.ts';
import { fromEnvironment } from './settings-text.ts';

const place = 'Put it into ~/.codex/config.toml.';

export const codex: ClientForm = {
  names: ['codex-mcp-client', 'codex'],
  passVariable: (variable) =>
    `Codex passes on only the variables that ~/.codex/config.toml names: add \`env_vars = ${tomlArray([variable])}\` to the entry of this server, set ${variable} in the shell, and start Codex again.`,
  stdio: (entry) => ({ text: table(stdioLines(entry)), place }),
  http: (entry) => ({ text: table(httpLines(entry)), place: `${place}${fromEnvironment(entry, 'Codex')}` }),
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
