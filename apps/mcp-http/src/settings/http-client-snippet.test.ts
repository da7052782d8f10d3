import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type HttpClientName, httpClientNames, httpClientSnippet } from './http-program.ts';

const url = 'http://127.0.0.1:3000/mcp';
const token = 'Canary_Token-0123456789abcdefghijklmnopqrst';

const toFillIn = { Authorization: 'Bearer <GEMINI_MCP_TOKEN>' };

const textOf = (client: HttpClientName, shown: string | null = null): string =>
  httpClientSnippet(client, { url, token: shown }).text;

const jsonOf = (client: HttpClientName, shown: string | null = null): unknown => {
  const text = textOf(client, shown);
  return JSON.parse(text.slice(text.indexOf('{\n')));
};

/** The words that a shell makes of a line that begins with this program. */
function wordsOf(text: string, program: string): readonly string[] {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${program} `)) ?? '';
  const script = `${program}() { printf '%s\\0' "$@"; }; ${line}`;
  const env = { GEMINI_MCP_TOKEN: 'from the environment' };
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env }).split('\0').slice(0, -1);
}

describe('httpClientSnippet', () => {
  it.each(httpClientNames)('%s: contains the token only if given one', (client) => {
    const { text, place } = httpClientSnippet(client, { url, token: null });
    expect(text + place).toMatch(/GEMINI_MCP_TOKEN|gemini-mcp-token/);
    expect(textOf(client, token)).toContain(`Bearer ${token}`);
    expect(textOf(client, token)).not.toMatch(/GEMINI_MCP_TOKEN|gemini-mcp-token/);
  });

  it("claude-code: a line with the shell's token, or a file with a variable that Claude Code replaces", () => {
    const before = ['mcp', 'add', '--scope', 'user', '--transport', 'http', 'gemini', url, '--header'];
    expect(wordsOf(textOf('claude-code'), 'claude')).toEqual([...before, 'Authorization: Bearer from the environment']);
    expect(wordsOf(textOf('claude-code', token), 'claude')).toEqual([...before, `Authorization: Bearer ${token}`]);
    const headers = { Authorization: `Bearer \${GEMINI_MCP_TOKEN}` };
    expect(jsonOf('claude-code')).toEqual({ mcpServers: { gemini: { type: 'http', url, headers } } });
  });

  it('gemini-cli: a line, and settings with a variable that Gemini CLI replaces', () => {
    const flags = ['--scope=user', '--transport=http', '--timeout=600000'];
    const header = '--header=Authorization: Bearer $GEMINI_MCP_TOKEN';
    expect(wordsOf(textOf('gemini-cli'), 'gemini')).toEqual(['mcp', 'add', ...flags, header, 'gemini', url]);
    const headers = { Authorization: 'Bearer $GEMINI_MCP_TOKEN' };
    expect(jsonOf('gemini-cli')).toEqual({
      mcpServers: { gemini: { type: 'http', url, headers, timeout: 600_000 } },
    });
    expect(httpClientSnippet('gemini-cli', { url, token: null }).place).toContain('httpUrl');
  });

  it('codex: the name of the variable, or a header', () => {
    expect(textOf('codex')).toBe(
      `[mcp_servers.gemini]\nurl = "${url}"\nbearer_token_env_var = "GEMINI_MCP_TOKEN"\ntool_timeout_sec = 600\n`,
    );
    expect(textOf('codex', token)).toContain(`\nhttp_headers = { Authorization = "Bearer ${token}" }\n`);
  });

  it('vscode: prompts for the token, or has it', () => {
    expect(jsonOf('vscode')).toEqual({
      inputs: [
        { type: 'promptString', id: 'gemini-mcp-token', description: 'Token of the Gemini MCP server', password: true },
      ],
      servers: { gemini: { type: 'http', url, headers: { Authorization: `Bearer \${input:gemini-mcp-token}` } } },
    });
    expect(jsonOf('vscode', token)).toEqual({
      servers: { gemini: { type: 'http', url, headers: { Authorization: `Bearer ${token}` } } },
    });
  });

  it('cursor and windsurf: mcpServers, each with its own key for the address', () => {
    const headers = { Authorization: `Bearer \${env:GEMINI_MCP_TOKEN}` };
    expect(jsonOf('cursor')).toEqual({ mcpServers: { gemini: { url, headers } } });
    expect(jsonOf('windsurf')).toEqual({ mcpServers: { gemini: { serverUrl: url, headers } } });
  });

  it('opencode, copilot-cli, qwen-code and kiro: each with its own words and reference', () => {
    const bearer = (reference: string) => ({ Authorization: `Bearer ${reference}` });
    const [type, timeout, tools] = ['http', 600_000, ['*']];
    const headers = bearer(`\${GEMINI_MCP_TOKEN}`);
    expect(jsonOf('opencode')).toEqual({
      mcp: { gemini: { type: 'remote', url, headers: bearer('{env:GEMINI_MCP_TOKEN}'), timeout } },
    });
    expect(jsonOf('copilot-cli')).toEqual({ mcpServers: { gemini: { type, url, headers, tools, timeout } } });
    expect(jsonOf('qwen-code')).toEqual({
      mcpServers: { gemini: { httpUrl: url, headers: bearer('$GEMINI_MCP_TOKEN'), timeout } },
    });
    expect(jsonOf('kiro')).toEqual({ mcpServers: { gemini: { url, headers } } });
  });

  it('continue: YAML with the name of a secret', () => {
    const headers = { Authorization: `Bearer \${{ secrets.GEMINI_MCP_TOKEN }}` };
    expect(parse(textOf('continue'))).toEqual({
      mcpServers: [{ name: 'gemini', type: 'streamable-http', url, requestOptions: { headers } }],
    });
  });

  it.each([
    ['cline', { mcpServers: { gemini: { type: 'streamableHttp', url, headers: toFillIn, timeout: 600 } } }],
    ['antigravity', { mcpServers: { gemini: { serverUrl: url, headers: toFillIn } } }],
    ['zed', { context_servers: { gemini: { url, headers: toFillIn, timeout: 600 } } }],
    ['lm-studio', { mcpServers: { gemini: { url, headers: toFillIn, timeout: 600_000 } } }],
  ] as const)('%s: replaces no variables, so its user writes the token', (client, settings) => {
    expect(jsonOf(client)).toEqual(settings);
    expect(httpClientSnippet(client, { url, token: null }).place).toContain('in place of <GEMINI_MCP_TOKEN>');
  });

  it('claude-desktop: a bridge, which accepts http from this machine only unless configured', () => {
    const args = ['-y', 'mcp-remote', url, '--transport', 'http-only', '--header', `Authorization:\${AUTH_HEADER}`];
    const env = { AUTH_HEADER: 'Bearer <GEMINI_MCP_TOKEN>' };
    expect(jsonOf('claude-desktop')).toEqual({ mcpServers: { gemini: { command: 'npx', args, env } } });
    const at = (address: string): string => httpClientSnippet('claude-desktop', { url: address, token }).text;
    expect(at('http://[::1]:3000/mcp')).toContain('--allow-http');
    expect(at('https://gemini.example.com/mcp')).not.toContain('--allow-http');
  });

  it('curl: a chat that streams', () => {
    expect(wordsOf(textOf('curl'), 'curl')).toEqual([
      '-N',
      'http://127.0.0.1:3000/api/gemini-chat',
      '-H',
      'Authorization: Bearer from the environment',
      '-H',
      'Content-Type: application/json',
      '-H',
      'Accept: text/event-stream',
      '-d',
      '{"prompt": "Say hello"}',
    ]);
    const behindProxy = { url: 'https://example.com/gemini/mcp', token: null };
    expect(httpClientSnippet('curl', behindProxy).text).toContain(' https://example.com/gemini/api/gemini-chat ');
  });

  it('escapes an address and a token for a shell', () => {
    const target = { url: "http://127.0.0.1:3000/mcp?a='$(id)'&b", token: `'"$(id)\`id\`\\${token}` };
    for (const [client, program] of [
      ['claude-code', 'claude'],
      ['gemini-cli', 'gemini'],
    ] as const) {
      const words = wordsOf(httpClientSnippet(client, target).text, program);
      expect(words).toContain(target.url);
      expect(words.join(' ')).toContain(`Authorization: Bearer ${target.token}`);
    }
  });
});
