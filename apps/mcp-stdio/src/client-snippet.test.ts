import type { ClientName } from '@gemini-mcp/server';
import { describe, expect, it } from 'vitest';
import { clientSnippet } from './client-snippet.ts';

const server = { command: '/opt/node/bin/node', args: ['/opt/my server.cjs', '--read-only=1'], hasApiKey: false };
const { command, args } = server;

const parsed = (client: ClientName): unknown => JSON.parse(clientSnippet(client, server).text);

describe('clientSnippet', () => {
  it.each(['claude-desktop', 'cursor', 'windsurf'] as const)('%s takes mcpServers', (client) => {
    expect(parsed(client)).toEqual({ mcpServers: { gemini: { command, args } } });
  });

  it('claude-code takes mcpServers with a type, or a line of a shell', () => {
    expect(parsed('claude-code')).toEqual({ mcpServers: { gemini: { type: 'stdio', command, args } } });
    expect(clientSnippet('claude-code', server).place).toContain(
      "claude mcp add gemini -- /opt/node/bin/node '/opt/my server.cjs' --read-only=1",
    );
  });

  it('vscode takes servers', () => {
    expect(parsed('vscode')).toEqual({ servers: { gemini: { type: 'stdio', command, args } } });
  });

  it('codex takes TOML, where a backslash of Windows stays one', () => {
    expect(clientSnippet('codex', { ...server, command: 'C:\\node.exe' }).text).toBe(
      '[mcp_servers.gemini]\ncommand = "C:\\\\node.exe"\nargs = ["/opt/my server.cjs", "--read-only=1"]\ntool_timeout_sec = 600\n',
    );
    expect(clientSnippet('codex', { ...server, hasApiKey: true }).text).toContain('\nenv_vars = ["GEMINI_API_KEY"]\n');
  });

  it('gemini-cli takes a line of a shell or settings, with the name of the key where there is one', () => {
    const { text } = clientSnippet('gemini-cli', { ...server, hasApiKey: true });
    expect(text).toContain(
      "gemini mcp add --scope=user --timeout=600000 --env='GEMINI_API_KEY=$GEMINI_API_KEY' gemini /opt/node/bin/node '/opt/my server.cjs' --read-only=1\n",
    );
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
      mcpServers: { gemini: { command, args, timeout: 600_000, env: { GEMINI_API_KEY: '$GEMINI_API_KEY' } } },
    });
    expect(clientSnippet('gemini-cli', server).text).not.toContain('GEMINI_API_KEY');
  });

  it('quotes what a shell would read otherwise', () => {
    const { place } = clientSnippet('claude-code', { ...server, args: ["/it's/$HOME"] });
    expect(place).toContain("'/it'\\''s/$HOME'");
  });
});
