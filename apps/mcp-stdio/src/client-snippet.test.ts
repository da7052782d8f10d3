import { readFileSync } from 'node:fs';
import { type ClientName, clientNames } from '@gemini-mcp/server';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { clientSnippet, type ServerCommand } from './find-server-command.ts';

const server: ServerCommand = {
  command: '/opt/node/bin/node',
  args: ['/opt/my server.cjs', '--read-only=1'],
  needsInstall: false,
  hasDirectory: false,
  hasStoredLogin: false,
  variables: [],
};
const { command, args } = server;
const withLogin: ServerCommand = { ...server, variables: ['GEMINI_API_KEY', 'https_proxy'] };

const parsed = (client: ClientName, given = server): unknown => {
  const { text } = clientSnippet(client, given);
  return JSON.parse(text.slice(text.indexOf('{\n')));
};

describe('clientSnippet', () => {
  it.each(['cursor', 'windsurf'] as const)('%s takes mcpServers, and variables by its own reference', (client) => {
    expect(parsed(client)).toEqual({ mcpServers: { gemini: { command, args } } });
    const env = { GEMINI_API_KEY: `\${env:GEMINI_API_KEY}`, https_proxy: `\${env:https_proxy}` };
    expect(parsed(client, withLogin)).toEqual({ mcpServers: { gemini: { command, args, env } } });
  });

  it('claude-code takes a line of a shell, or mcpServers with a type', () => {
    expect(parsed('claude-code', withLogin)).toEqual({ mcpServers: { gemini: { type: 'stdio', command, args } } });
    expect(clientSnippet('claude-code', server).text).toContain(
      "\nclaude mcp add --scope user gemini -- /opt/node/bin/node '/opt/my server.cjs' --read-only=1\n",
    );
  });

  it('claude-desktop has the directory and the key to fill in', () => {
    const directory = { GEMINI_CLI_WORKING_DIR: '<absolute path of your project>' };
    const gemini = { command, args, env: { ...directory, GEMINI_API_KEY: '<GEMINI_API_KEY>' } };
    expect(parsed('claude-desktop')).toEqual({ mcpServers: { gemini } });
    const variables = ['GOOGLE_GENAI_USE_VERTEXAI', 'HTTPS_PROXY'];
    expect(parsed('claude-desktop', { ...server, hasDirectory: true, variables })).toEqual({
      mcpServers: {
        gemini: {
          command,
          args,
          env: { GOOGLE_GENAI_USE_VERTEXAI: '<GOOGLE_GENAI_USE_VERTEXAI>', HTTPS_PROXY: '<HTTPS_PROXY>' },
        },
      },
    });
  });

  it('vscode takes servers', () => {
    expect(parsed('vscode')).toEqual({ servers: { gemini: { type: 'stdio', command, args } } });
    expect(parsed('vscode', withLogin)).toMatchObject({
      servers: { gemini: { env: { GEMINI_API_KEY: `\${env:GEMINI_API_KEY}` } } },
    });
  });

  it('codex takes TOML, where a backslash of Windows stays one, and names of variables', () => {
    expect(clientSnippet('codex', { ...server, command: 'C:\\node.exe' }).text).toBe(
      '[mcp_servers.gemini]\ncommand = "C:\\\\node.exe"\nargs = ["/opt/my server.cjs", "--read-only=1"]\ntool_timeout_sec = 600\n',
    );
    expect(clientSnippet('codex', withLogin).text).toContain('\nenv_vars = ["GEMINI_API_KEY", "https_proxy"]\n');
  });

  it('gemini-cli takes a line of a shell or settings, with the names of variables', () => {
    const { text } = clientSnippet('gemini-cli', withLogin);
    expect(text).toContain(
      "gemini mcp add --scope=user --timeout=600000 --env='GEMINI_API_KEY=$GEMINI_API_KEY' --env='https_proxy=$https_proxy' gemini /opt/node/bin/node '/opt/my server.cjs' --read-only=1\n",
    );
    const env = { GEMINI_API_KEY: '$GEMINI_API_KEY', https_proxy: '$https_proxy' };
    expect(parsed('gemini-cli', withLogin)).toEqual({
      mcpServers: { gemini: { command, args, timeout: 600_000, env } },
    });
    expect(clientSnippet('gemini-cli', server).text).not.toContain('GEMINI_API_KEY');
  });

  it('passes names of variables to the clients that ask for them only', () => {
    const words = [command, ...args];
    const timeout = 600_000;
    expect(parsed('opencode', withLogin)).toEqual({ mcp: { gemini: { type: 'local', command: words, timeout } } });
    expect(parsed('copilot-cli', withLogin)).toEqual({
      mcpServers: { gemini: { type: 'local', command, args, tools: ['*'], timeout } },
    });
    expect(parsed('qwen-code', withLogin)).toEqual({
      mcpServers: { gemini: { command, args, timeout } },
    });
    expect(parsed('cline', withLogin)).toEqual({
      mcpServers: { gemini: { command, args, timeout: 600 } },
    });
    expect(parsed('zed', withLogin)).toEqual({
      context_servers: { gemini: { command, args, timeout: 600 } },
    });
    const env = { GEMINI_API_KEY: `\${GEMINI_API_KEY}`, https_proxy: `\${https_proxy}` };
    expect(parsed('kiro', withLogin)).toEqual({ mcpServers: { gemini: { command, args, env } } });
  });

  it('continue takes YAML, with the names of secrets', () => {
    const given = { ...withLogin, command: 'C:\\node.exe' };
    expect(parse(clientSnippet('continue', given).text)).toEqual({
      mcpServers: [
        {
          name: 'gemini',
          type: 'stdio',
          command: 'C:\\node.exe',
          args,
          env: {
            GEMINI_API_KEY: `\${{ secrets.GEMINI_API_KEY }}`,
            https_proxy: `\${{ secrets.https_proxy }}`,
          },
        },
      ],
    });
    expect(parse(clientSnippet('continue', { ...server, args: [] }).text)).toEqual({
      mcpServers: [{ name: 'gemini', type: 'stdio', command }],
    });
  });

  it('antigravity and lm-studio have the values to fill in', () => {
    const env = { GEMINI_API_KEY: '<GEMINI_API_KEY>', https_proxy: '<https_proxy>' };
    expect(parsed('antigravity', withLogin)).toEqual({ mcpServers: { gemini: { command, args, env } } });
    const directory = { GEMINI_CLI_WORKING_DIR: '<absolute path of your project>' };
    expect(parsed('lm-studio')).toEqual({
      mcpServers: {
        gemini: { command, args, env: { ...directory, GEMINI_API_KEY: '<GEMINI_API_KEY>' }, timeout: 600_000 },
      },
    });
  });

  it('quotes what a shell would read otherwise', () => {
    const { text } = clientSnippet('claude-code', { ...server, args: ["/it's/$HOME"] });
    expect(text).toContain("'/it'\\''s/$HOME'");
  });

  it.each(clientNames)('%s: says where the login comes from when no variable has it', (client) => {
    const advice = ['claude-desktop', 'antigravity', 'lm-studio'].includes(client)
      ? 'angle brackets'
      : 'Make an API key at https://aistudio.google.com/apikey';
    expect(clientSnippet(client, { ...server, variables: ['HTTPS_PROXY'] }).place).toContain(advice);
    expect(clientSnippet(client, withLogin).place).not.toContain('There is no login');
  });
});

describe('the documents', () => {
  const inClone: ServerCommand = {
    ...server,
    command: 'node',
    args: ['/path/to/clone/apps/mcp-stdio/dist/gemini-mcp-server.cjs'],
    variables: ['GEMINI_API_KEY'],
  };
  const installed: ServerCommand = { ...inClone, command: 'gemini-mcp-server', args: [] };

  it.each([
    ['docs/clients.md', inClone, ['claude-code', 'codex', 'cursor', 'vscode', 'gemini-cli']],
    ['apps/mcp-stdio/README.md', installed, ['claude-code', 'cursor']],
  ] as const)('%s has the snippets that --print-config prints', (name, command, clients) => {
    const document = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
      // What follows is for servers over HTTP.
      .replace(/\n## HTTP\n[\s\S]*/, '');
    const blocks = [...document.matchAll(/^```(?:sh|toml|json)\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block);
    const snippets = blocks.flatMap(
      (block) =>
        /^(?:claude|gemini) mcp add .*\n/m.exec(block)?.[0] ?? (/"command"|^command = /m.test(block) ? block : []),
    );
    expect(snippets).toHaveLength(clients.length);
    for (const [index, client] of clients.entries()) {
      expect(clientSnippet(client, command).text).toContain(snippets[index]);
    }
  });
});
