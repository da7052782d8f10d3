import { type ClientSnippet, shellWord, tomlString } from '@gemini-mcp/server';
import type { HttpClientName } from './http-client-name.ts';

/** Where a client finds the server, and with what it is let in. */
export type HttpClientTarget = {
  /** Of `/mcp`. */
  readonly url: string;
  /** The token itself, for the one time that a new one is shown; null for the way of each client to take it from elsewhere. */
  readonly token: string | null;
};

const variable = 'GEMINI_MCP_TOKEN';

/** The longest that a call may take where nothing is set, so that no client gives up before the server does. */
const callTimeoutMs = 600_000;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** The header with the token, or with what a client replaces by it. */
const bearer = ({ token }: HttpClientTarget, reference: string): string => `Bearer ${token ?? reference}`;

/** Ends a sentence about where settings go. */
const fromEnvironment = ({ token }: HttpClientTarget, client: string): string =>
  token === null ? ` ${client} takes the token from ${variable} in its own environment.` : '';

/** As a word in double quotes, in which a shell puts the value of the variable. */
const shellHeader = (target: HttpClientTarget): string =>
  target.token === null ? `"Authorization: Bearer $${variable}"` : shellWord(`Authorization: ${bearer(target, '')}`);

const snippets: Readonly<Record<HttpClientName, (target: HttpClientTarget) => ClientSnippet>> = {
  'claude-code': (target) => ({
    text: [
      'Run this line:',
      claudeCodeLine(target),
      '',
      'Or put this into .mcp.json in your project:',
      json({ mcpServers: { gemini: { type: 'http', ...withHeader(target, `\${${variable}}`) } } }),
    ].join('\n'),
    place: `The line keeps the token in the settings of Claude Code.${fromEnvironment(target, 'With .mcp.json, Claude Code')}`,
  }),
  'claude-desktop': describeBridge,
  codex: (target) => ({
    text: [
      '[mcp_servers.gemini]',
      `url = ${tomlString(target.url)}`,
      target.token === null
        ? `bearer_token_env_var = ${tomlString(variable)}`
        : `http_headers = { Authorization = ${tomlString(bearer(target, ''))} }`,
      `tool_timeout_sec = ${callTimeoutMs / 1_000}`,
      '',
    ].join('\n'),
    place: `Put it into ~/.codex/config.toml.${fromEnvironment(target, 'Codex')}`,
  }),
  cursor: (target) => ({
    text: json({ mcpServers: { gemini: withHeader(target, `\${env:${variable}}`) } }),
    place: `Put it into ~/.cursor/mcp.json, or .cursor/mcp.json in your project.${fromEnvironment(target, 'Cursor')}`,
  }),
  vscode: (target) => ({
    text: json({
      ...(target.token === null ? { inputs: [tokenInput] } : {}),
      servers: { gemini: { type: 'http', ...withHeader(target, `\${input:${tokenInput.id}}`) } },
    }),
    place: `Put it into .vscode/mcp.json in your project.${target.token === null ? ' VS Code asks for the token once, and keeps it.' : ''}`,
  }),
  'gemini-cli': (target) => ({
    text: [
      'Run this line:',
      `gemini mcp add --scope=user --transport=http --timeout=${callTimeoutMs} --header=${geminiHeader(target)} gemini ${shellWord(target.url)}`,
      '',
      'Or put this into ~/.gemini/settings.json:',
      json({
        mcpServers: { gemini: { type: 'http', ...withHeader(target, `$${variable}`), timeout: callTimeoutMs } },
      }),
    ].join('\n'),
    place: `A Gemini CLI that does not know "type" takes "httpUrl" in the place of "url" and "type".${fromEnvironment(target, 'Gemini CLI')}`,
  }),
  windsurf: (target) => ({
    text: json({
      mcpServers: {
        gemini: { serverUrl: target.url, headers: { Authorization: bearer(target, `\${env:${variable}}`) } },
      },
    }),
    place: `Put it into ~/.codeium/windsurf/mcp_config.json.${fromEnvironment(target, 'Windsurf')}`,
  }),
  curl: (target) => ({
    text: `curl -N ${shellWord(new URL('api/gemini-chat', target.url).href)} -H ${shellHeader(target)} -H 'Content-Type: application/json' -H 'Accept: text/event-stream' -d '{"prompt": "Say hello"}'\n`,
    place: 'The answer comes in pieces. Without the Accept header it comes whole, as JSON.',
  }),
};

/** The line of a shell that makes Claude Code use this server. Holds the token once where it is given one. */
export function claudeCodeLine(target: HttpClientTarget): string {
  // The header after the address: the flag takes all words that follow it.
  return `claude mcp add --scope user --transport http gemini ${shellWord(target.url)} --header ${shellHeader(target)}`;
}

/** What makes a client use this server. Holds the token only where it is given one. */
export function httpClientSnippet(client: HttpClientName, target: HttpClientTarget): ClientSnippet {
  return snippets[client](target);
}

const tokenInput = {
  type: 'promptString',
  id: 'gemini-mcp-token',
  description: 'Token of the Gemini MCP server',
  password: true,
} as const;

function withHeader(target: HttpClientTarget, reference: string): Record<string, unknown> {
  return { url: target.url, headers: { Authorization: bearer(target, reference) } };
}

/** In quotes that keep the variable: Gemini CLI puts its value in each time that it reads its settings. */
function geminiHeader(target: HttpClientTarget): string {
  return `'${`Authorization: ${bearer(target, `$${variable}`)}`.replaceAll("'", "'\\''")}'`;
}

/**
 * Claude Desktop takes only programs from its file. Its connectors are called from the machines of Anthropic, not from that of
 * the user, and log in by OAuth. So what reaches a server with a token of its own is a program between the two.
 */
function describeBridge(target: HttpClientTarget): ClientSnippet {
  const { protocol, hostname } = new URL(target.url);
  // mcp-remote takes these two names for this machine, and no other.
  const isPlain = protocol === 'http:' && hostname !== 'localhost' && hostname !== '127.0.0.1';
  // Without a space in it, because Claude Desktop on Windows does not quote arguments.
  const header = ['--header', `Authorization:\${AUTH_HEADER}`];
  const args = ['-y', 'mcp-remote', target.url, '--transport', 'http-only', ...header];
  return {
    text: json({
      mcpServers: {
        gemini: {
          command: 'npx',
          args: isPlain ? [...args, '--allow-http'] : args,
          env: { AUTH_HEADER: bearer(target, `<${variable}>`) },
        },
      },
    }),
    place: [
      'Put it into claude_desktop_config.json: in ~/Library/Application Support/Claude on macOS, %APPDATA%\\Claude on Windows.',
      ...(target.token === null ? [`It takes no variables: write the token in the place of <${variable}>.`] : []),
      'Claude Desktop itself reaches HTTP servers only as connectors: from the internet, over https, with OAuth. mcp-remote, a package of somebody else, stands between. On one machine, gemini-mcp-server (stdio) needs neither.',
    ].join('\n'),
  };
}
