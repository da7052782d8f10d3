import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUpstreamConfig } from '../settings/read-upstream-config.ts';
import { convertReferences } from './convert-references.ts';
import { type ImportName, importNames } from './import-names.ts';
import { detectClient, type ImportedSettings, readClientSettings } from './read-client-settings.ts';

const read = (client: ImportName, text: string, directory: string | null = null): ImportedSettings =>
  readClientSettings({ text, client, directory });

const entries = ({ servers }: ImportedSettings) => Object.fromEntries(servers.map(({ name, entry }) => [name, entry]));
const remarks = ({ servers }: ImportedSettings) =>
  Object.fromEntries(servers.filter((one) => one.remarks.length > 0).map((one) => [one.name, one.remarks]));

/** Imported servers have to be settings of ours, without a mistake. */
function expectSound(imported: ImportedSettings): void {
  const text = JSON.stringify({ mcpServers: entries(imported) });
  expect(readUpstreamConfig(text, 'settings.json').problems).toEqual([]);
}

describe('settings of the Gemini CLI', () => {
  const text = `{
    // ~/.gemini/settings.json
    "security": { "auth": { "selectedType": "oauth-personal" } },
    "mcpServers": {
      "pythonTools": {
        "command": "python", "args": ["-m", "my_mcp_server", "--port", "8080"], "cwd": "./mcp-servers/python",
        "env": { "DATABASE_URL": "$DB_CONNECTION_STRING", "API_KEY": "\${EXTERNAL_API_KEY}" }, "timeout": 15000
      },
      "nodeServer": { "command": "node", "args": ["dist/server.js"], "trust": true },
      "httpServer": { "httpUrl": "http://localhost:3000/mcp", "headers": { "X-Custom-Header": "custom-value" } },
      "remote": { "url": "https://api.example.com/mcp", "type": "http" },
      "filtered": { "command": "python", "includeTools": ["safe_tool"], "excludeTools": ["x"], "description": "Mine" },
      "google": {
        "httpUrl": "https://my-gcp-service.run.app/mcp", "authProviderType": "google_credentials",
        "oauth": { "scopes": ["https://www.googleapis.com/auth/userinfo.email"] }
      },
    },
  }`;

  it('switch off the servers that the client excludes', () => {
    const servers = '"mcpServers": {"a": {"command": "x"}, "b": {"command": "x"}, "c": {"command": "x"}}';
    const imported = read('gemini-cli', `{${servers}, "mcp": {"allowed": ["a", "b"], "excluded": ["b"]}}`);
    expect(entries(imported)).toEqual({
      a: { command: 'x' },
      b: { command: 'x', enabled: false },
      c: { command: 'x', enabled: false },
    });
    expectSound(imported);
  });

  it('are taken over as they are, but for trust', () => {
    const imported = read('gemini-cli', text);
    expect(entries(imported)).toEqual({
      pythonTools: {
        command: 'python',
        args: ['-m', 'my_mcp_server', '--port', '8080'],
        cwd: './mcp-servers/python',
        env: { DATABASE_URL: '$DB_CONNECTION_STRING', API_KEY: `\${EXTERNAL_API_KEY}` },
        timeout: 15_000,
      },
      nodeServer: { command: 'node', args: ['dist/server.js'] },
      httpServer: { httpUrl: 'http://localhost:3000/mcp', headers: { 'X-Custom-Header': 'custom-value' } },
      remote: { url: 'https://api.example.com/mcp', type: 'http' },
      filtered: { command: 'python', includeTools: ['safe_tool'], excludeTools: ['x'], description: 'Mine' },
      google: {
        httpUrl: 'https://my-gcp-service.run.app/mcp',
        authProviderType: 'google_credentials',
        oauth: { scopes: ['https://www.googleapis.com/auth/userinfo.email'] },
      },
    });
    expect(remarks(imported)).toEqual({ nodeServer: [expect.stringContaining('That client trusts it')] });
    expectSound(imported);
  });
});

describe('settings of Claude Code', () => {
  const text = JSON.stringify({
    numStartups: 12,
    installMethod: 'global',
    mcpServers: {
      airtable: {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'airtable-mcp-server'],
        env: { AIRTABLE_API_KEY: 'key$1' },
      },
      notion: { type: 'http', url: 'https://mcp.notion.com/mcp' },
      asana: { type: 'sse', url: 'https://mcp.asana.com/sse', headers: { 'X-API-Key': `\${API_KEY:-none}` } },
      gemini: { type: 'stdio', command: 'npx', args: ['-y', 'gemini-mcp-server'], env: {} },
    },
    projects: {
      '/home/me/project': {
        allowedTools: [],
        mcpServers: { notion: { type: 'http', url: 'https://mine.example/mcp' } },
        enabledMcpjsonServers: [],
        hasTrustDialogAccepted: true,
      },
      '/home/me/other': { mcpServers: { secret: { command: 'x' } } },
    },
  });

  it("are the user's for all directories, and for this one", () => {
    const imported = read('claude-code', text, '/home/me/project');
    expect(entries(imported)).toEqual({
      airtable: { command: 'npx', args: ['-y', 'airtable-mcp-server'], env: { AIRTABLE_API_KEY: 'key\\$1' } },
      notion: { url: 'https://mine.example/mcp', type: 'http' },
      asana: { url: 'https://mcp.asana.com/sse', type: 'sse', headers: { 'X-API-Key': `\${API_KEY:-none}` } },
    });
    expect(imported.problems).toEqual(['gemini is this program itself.']);
    expectSound(imported);
    expect(entries(read('claude-code', text))['notion']).toEqual({ type: 'http', url: 'https://mcp.notion.com/mcp' });
  });

  it('name what has no meaning here', () => {
    const entry = {
      type: 'http',
      url: 'https://x.example',
      headersHelper: '/bin/x',
      oauth: { clientId: 'c', callbackPort: 8080 },
    };
    const imported = read('claude-code', JSON.stringify({ mcpServers: { x: entry } }));
    expect(entries(imported)).toEqual({ x: { type: 'http', url: 'https://x.example', oauth: { clientId: 'c' } } });
    expect(remarks(imported)).toEqual({ x: ['Not taken over: headersHelper.'] });
  });
});

describe('settings of Claude Desktop', () => {
  it('have no references: text that looks like one stays text', () => {
    const args = ['run', '-i', '--rm', '-e', 'GITHUB_PERSONAL_ACCESS_TOKEN', 'ghcr.io/github/github-mcp-server'];
    const env = { GITHUB_PERSONAL_ACCESS_TOKEN: 'ghp_a$b', DATABASE: 'file:./dev.db', PATTERN: `\${HOME}` };
    const text = JSON.stringify({ globalShortcut: '', mcpServers: { github: { command: 'docker', args, env } } });
    const imported = read('claude-desktop', text);
    expect(entries(imported)).toEqual({
      github: {
        command: 'docker',
        args,
        env: {
          GITHUB_PERSONAL_ACCESS_TOKEN: 'ghp_a\\$b',
          DATABASE: `\${_:-file:./dev.db}`,
          PATTERN: `\\\${HOME}`,
        },
      },
    });
    expectSound(imported);
  });
});

describe('settings of VS Code', () => {
  const servers = {
    github: {
      type: 'http',
      url: 'https://api.githubcopilot.com/mcp/',
      headers: { Authorization: `Bearer \${input:github_mcp_pat}` },
      gallery: true,
      version: '0.13.0',
    },
    perplexity: {
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'server-perplexity-ask', `\${workspaceFolder}/data`],
      env: { KEY: `\${env:PERPLEXITY_KEY}`, EMPTY: null, PORT: 8080 },
      envFile: `\${workspaceFolder}/.env`,
      dev: { watch: 'build/**/*.js' },
    },
  };
  const inputs = [{ type: 'promptString', id: 'github_mcp_pat', description: 'GitHub PAT', password: true }];

  it.each([
    ['mcp.json', { inputs, servers }],
    ['settings.json', { 'editor.tabSize': 2, mcp: { inputs, servers } }],
    ['settings.json of others', { 'mcp.servers': servers }],
  ])('in %s are taken over, with inputs of the user as variables', (_, settings) => {
    const imported = read('vscode', JSON.stringify(settings));
    expect(entries(imported)).toEqual({
      github: {
        url: 'https://api.githubcopilot.com/mcp/',
        type: 'http',
        headers: { Authorization: `Bearer \${GITHUB_MCP_PAT}` },
      },
      perplexity: {
        command: 'npx',
        args: ['-y', 'server-perplexity-ask', `\${PWD}/data`],
        env: { KEY: `\${PERPLEXITY_KEY}`, PORT: '8080' },
      },
    });
    expect(remarks(imported)).toEqual({
      github: [expect.stringContaining('the variable GITHUB_MCP_PAT: set it')],
      perplexity: [
        expect.stringContaining('the directory in which this program starts'),
        expect.stringContaining('envFile'),
      ],
    });
    expectSound(imported);
  });
});

describe('settings of Cursor', () => {
  it('are taken over, with their login', () => {
    const mcpServers = {
      shell: {
        command: 'python',
        args: [`\${workspaceFolder}/tool.py`],
        env: { KEY: `\${env:KEY}`, PRICE: '5$' },
        envFile: '.env',
      },
      remote: {
        url: 'https://api.example.com/mcp',
        headers: { Authorization: `Bearer \${env:MY_TOKEN}` },
        disabled: true,
      },
      oauth: { url: 'https://o.example/mcp', auth: { CLIENT_ID: `\${env:ID}`, CLIENT_SECRET: 's', scopes: ['read'] } },
      cli: { command: 'x', autoApprove: ['a'] },
    };
    const imported = read('cursor', JSON.stringify({ mcpServers }));
    expect(entries(imported)).toEqual({
      shell: { command: 'python', args: [`\${PWD}/tool.py`], env: { KEY: `\${KEY}`, PRICE: '5\\$' } },
      remote: { url: 'https://api.example.com/mcp', headers: { Authorization: `Bearer \${MY_TOKEN}` }, enabled: false },
      oauth: { url: 'https://o.example/mcp', oauth: { clientId: `\${ID}`, clientSecret: 's', scopes: ['read'] } },
      cli: { command: 'x' },
    });
    expect(remarks(imported)).toMatchObject({ cli: [expect.stringContaining('runs some of its tools unasked')] });
    expectSound(imported);
  });
});

describe('settings of Codex', () => {
  const text = `
model = "gpt-5.5"
[projects."/home/me"]
trust_level = "trusted"

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
env_vars = ["LOCAL_TOKEN", { name = "REMOTE", source = "local" }]
startup_timeout_sec = 20
tool_timeout_sec = 45.5
enabled_tools = ["open"]
disabled_tools = ["close"]

[mcp_servers.context7.env]
MY_ENV_VAR = "MY$VALUE"

[mcp_servers.figma]
url = "https://mcp.figma.com/mcp"
bearer_token_env_var = "FIGMA_OAUTH_TOKEN"
http_headers = { "X-Figma-Region" = "us-east-1" }
env_http_headers = { "X-User" = "FIGMA_USER" }
enabled = false

[mcp_servers.odd]
name = "nothing"
`;

  it('are taken over, with variables as references', () => {
    const imported = read('codex', text);
    expect(entries(imported)).toEqual({
      context7: {
        command: 'npx',
        args: ['-y', '@upstash/context7-mcp'],
        env: { MY_ENV_VAR: 'MY\\$VALUE', LOCAL_TOKEN: `\${LOCAL_TOKEN}`, REMOTE: `\${REMOTE}` },
        timeout: 45_500,
        includeTools: ['open'],
        excludeTools: ['close'],
      },
      figma: {
        url: 'https://mcp.figma.com/mcp',
        headers: {
          'X-Figma-Region': 'us-east-1',
          'X-User': `\${FIGMA_USER}`,
          Authorization: `Bearer \${FIGMA_OAUTH_TOKEN}`,
        },
        enabled: false,
      },
    });
    expect(imported.problems).toEqual(['odd has neither command nor url.']);
    expectSound(imported);
  });

  it('that are not TOML are reported with their line', () => {
    expect(read('codex', 'a = 1\n[mcp_servers').problems).toEqual([
      expect.stringMatching(/^It is not TOML\. Look at line 2\.$/),
    ]);
  });
});

describe('settings of opencode', () => {
  const local = {
    type: 'local',
    command: ['npx', '-y', 'x-mcp'],
    cwd: 'tools',
    environment: { KEY: '{env:KEY}', FILE: '{file:~/.key}', PRICE: '5$' },
  };
  const taken = {
    command: 'npx',
    args: ['-y', 'x-mcp'],
    cwd: 'tools',
    env: { KEY: `\${KEY}`, FILE: '{file:~/.key}', PRICE: '5\\$' },
  };
  const remote = { type: 'remote', url: 'https://r.example/mcp', headers: { Authorization: 'Bearer {env:T}' } };

  it('are taken over from comments and trailing commas', () => {
    const text = `{ // opencode.jsonc
      "mcp": {
        "local": ${JSON.stringify({ ...local, timeout: 9_000 })},
        "remote": ${JSON.stringify({ ...remote, enabled: false, oauth: { clientId: 'c', scope: 'a b' } })},
        "public": {"type": "remote", "url": "https://p.example", "oauth": false},
      },
    }`;
    const imported = read('opencode', text);
    expect(entries(imported)).toEqual({
      local: { ...taken, timeout: 9_000 },
      remote: {
        url: 'https://r.example/mcp',
        headers: { Authorization: `Bearer \${T}` },
        enabled: false,
        oauth: { clientId: 'c', scopes: ['a', 'b'] },
      },
      public: { url: 'https://p.example' },
    });
    expect(remarks(imported)).toEqual({ local: ['{file:~/.key} has no meaning here: write the value instead.'] });
    expectSound(imported);
  });

  it('are found where the second version keeps them', () => {
    const servers = { local: { ...local, disabled: true, timeout: { startup: 1, request: 2_000 } }, servers: remote };
    const imported = read('opencode', JSON.stringify({ mcp: { timeout: { request: 1 }, servers } }));
    expect(entries(imported)).toEqual({
      local: { ...taken, enabled: false, timeout: 2_000 },
      servers: { url: 'https://r.example/mcp', headers: { Authorization: `Bearer \${T}` } },
    });
    expect(entries(read('opencode', JSON.stringify({ mcp: { servers: remote } })))).toEqual({
      servers: { url: 'https://r.example/mcp', headers: { Authorization: `Bearer \${T}` } },
    });
  });
});

describe('settings of Copilot CLI', () => {
  it('are taken over, with the tools that they select', () => {
    const env = { KEY: `\${KEY}`, OTHER: '$OTHER', PATTERN: 'file:./x', PRICE: '5$' };
    const mcpServers = {
      local: { type: 'local', command: 'x', args: ['a'], env, tools: ['*'], timeout: 5_000 },
      some: { type: 'http', url: 'https://s.example', headers: { A: `Bearer \${T}` }, tools: ['one'] },
    };
    const imported = read('copilot-cli', JSON.stringify({ mcpServers }));
    expect(entries(imported)).toEqual({
      local: {
        command: 'x',
        args: ['a'],
        env: { KEY: `\${KEY}`, OTHER: '$OTHER', PATTERN: `\${_:-file:./x}`, PRICE: '5\\$' },
        timeout: 5_000,
      },
      some: { type: 'http', url: 'https://s.example', headers: { A: `Bearer \${T}` }, includeTools: ['one'] },
    });
    expect(remarks(imported)).toEqual({});
    expectSound(imported);
  });
});

describe('settings of Qwen Code', () => {
  it('are those of the Gemini CLI', () => {
    const mcpServers = { a: { httpUrl: 'https://a.example', headers: { A: '$T' }, trust: true }, b: { command: 'x' } };
    const imported = read('qwen-code', JSON.stringify({ mcpServers, mcp: { excluded: ['b'] } }));
    expect(entries(imported)).toEqual({
      a: { httpUrl: 'https://a.example', headers: { A: '$T' } },
      b: { command: 'x', enabled: false },
    });
    expect(remarks(imported)).toMatchObject({ a: [expect.stringContaining('That client trusts it')] });
    expectSound(imported);
  });
});

describe('settings of Cline', () => {
  it('are taken over in both forms, without the tokens of that client', () => {
    const mcpServers = {
      flat: { command: 'x', env: { KEY: `\${env:KEY}`, RAW: '$KEY' }, timeout: 90, autoApprove: ['a'], disabled: true },
      nested: {
        transport: { type: 'streamableHttp', url: 'https://n.example', headers: { A: 'b' } },
        oauth: { tokens: { access_token: 'secret' } },
        metadata: {},
      },
      old: { url: 'https://o.example/sse' },
    };
    const imported = read('cline', JSON.stringify({ mcpServers }));
    expect(entries(imported)).toEqual({
      flat: { command: 'x', env: { KEY: `\${KEY}`, RAW: '\\$KEY' }, timeout: 90_000, enabled: false },
      nested: { type: 'http', url: 'https://n.example', headers: { A: 'b' } },
      old: { type: 'sse', url: 'https://o.example/sse' },
    });
    expect(remarks(imported)).toEqual({ flat: [expect.stringContaining('runs some of its tools unasked')] });
    expectSound(imported);
  });
});

describe('settings of Continue', () => {
  const text = `
name: Mine
mcpServers:
  - name: Local tools
    command: npx
    args: [-y, x-mcp]
    env:
      KEY: \${{ secrets.KEY }}
      PORT: 8080
      HUB: \${{ secrets.me/agent/KEY }}
  - name: remote
    type: streamable-http
    url: https://r.example/mcp
    requestOptions:
      headers:
        X-User: $me
    apiKey: \${{ secrets.T }}
    connectionTimeout: 3000
  - uses: somebody/server
`;

  it('are taken over, with secrets as variables', () => {
    const imported = read('continue', text);
    expect(entries(imported)).toEqual({
      'Local tools': {
        command: 'npx',
        args: ['-y', 'x-mcp'],
        env: { KEY: `\${KEY}`, PORT: '8080', HUB: `\\\${{ secrets.me/agent/KEY }}` },
      },
      remote: {
        type: 'http',
        url: 'https://r.example/mcp',
        headers: { 'X-User': '\\$me', Authorization: `Bearer \${T}` },
      },
    });
    expect(remarks(imported)).toEqual({
      'Local tools': [`\${{ secrets.me/agent/KEY }} has no meaning here.`],
      remote: ['Not taken over: connectionTimeout.'],
    });
    expect(imported.problems).toEqual(['Server 3 has neither command nor url.']);
  });

  it.each([
    ['a: [1\nb: }', /^It is not YAML\. Look at line \d\.$/],
    [`a: &a [x]\nb: &b [${'*a,'.repeat(200)}]\nmcpServers: [${'*b,'.repeat(200)}]`, /^Its aliases make it too large/],
  ])('that are not YAML, or explode, are reported: %#', (wrong, problem) => {
    expect(read('continue', wrong)).toEqual({ servers: [], problems: [expect.stringMatching(problem)] });
  });
});

describe('settings of Antigravity, Zed, Kiro and LM Studio', () => {
  it.each([
    [
      'antigravity',
      {
        mcpServers: {
          local: { command: 'x', env: { KEY: `\${KEY}` }, disabledTools: ['a'] },
          remote: { serverUrl: 'https://r.example', headers: { A: 'b' } },
        },
      },
      {
        local: { command: 'x', env: { KEY: `\\\${KEY}` }, excludeTools: ['a'] },
        remote: { url: 'https://r.example', headers: { A: 'b' } },
      },
    ],
    [
      'zed',
      {
        context_servers: {
          local: { source: 'custom', command: 'x', args: ['y'], env: { KEY: '$KEY' }, timeout: 30, enabled: false },
          old: { command: { path: 'x', args: ['z'], env: { A: 'b' } } },
          remote: { url: 'https://r.example', oauth: { client_id: 'c' } },
        },
      },
      {
        local: { command: 'x', args: ['y'], env: { KEY: '\\$KEY' }, timeout: 30_000, enabled: false },
        old: { command: 'x', args: ['z'], env: { A: 'b' } },
        remote: { url: 'https://r.example', oauth: { clientId: 'c' } },
      },
    ],
    [
      'kiro',
      {
        mcpServers: {
          local: { command: 'x', env: { KEY: `\${KEY}` }, disabled: true, disabledTools: ['a'] },
          remote: { url: 'https://r.example', oauth: { clientId: 'c' }, oauthScopes: ['s'] },
        },
      },
      {
        local: { command: 'x', env: { KEY: `\${KEY}` }, enabled: false, excludeTools: ['a'] },
        remote: { url: 'https://r.example', oauth: { clientId: 'c', scopes: ['s'] } },
      },
    ],
    [
      'lm-studio',
      { mcpServers: { local: { command: 'x', env: { KEY: '$KEY' } }, remote: { url: 'https://r.example' } } },
      { local: { command: 'x', env: { KEY: '\\$KEY' } }, remote: { url: 'https://r.example' } },
    ],
  ] as const)('%s: are taken over', (client, settings, taken) => {
    const imported = read(client, JSON.stringify(settings));
    expect(entries(imported)).toEqual(taken);
    expect(remarks(imported)).toEqual({});
    expectSound(imported);
  });

  it("of Zed name an extension's server, whose program is unknown", () => {
    const settings = { context_servers: { x: { settings: {} } } };
    expect(read('zed', JSON.stringify(settings)).problems).toEqual(['x has neither command nor url.']);
  });
});

/** The same servers at each place where a client looks. JSON is YAML as well. */
const settingsOf = (client: ImportName, all: Readonly<Record<string, object>>): object =>
  client === 'continue'
    ? { mcpServers: Object.entries(all).map(([name, entry]) => ({ ...entry, name })) }
    : { mcpServers: all, servers: all, mcp: all, context_servers: all };

describe('whatever is in a file', () => {
  it.each([
    ['', 'It is not JSON. Look at line 1: a value is missing here.'],
    ['{\n"mcpServers": {\n', 'It is not JSON. Look at line 3: a } is missing.'],
    ['[]', 'It is not JSON. Look at line 1: it has to be an object.'],
  ])('reports %j', (text, problem) => {
    expect(read('cursor', text)).toEqual({ servers: [], problems: [problem] });
  });

  it('reports invalid entries by name, without terminal escapes', () => {
    const text = '{"mcpServers": {"a\\u001b[2J": 1, "__proto__": {"command": "x"}, "constructor": null, "e": {}}}';
    const { servers, problems } = read('cursor', text);
    expect(servers.map(({ name }) => name)).toEqual(['__proto__']);
    expect(problems).toEqual([
      'a\\u{1b}[2J is not a server entry.',
      'constructor is not a server entry.',
      'e has neither command nor url.',
    ]);
  });

  it('it is read without an error, and no wrong thing becomes a setting', () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string());
    const member = fc.constantFrom(
      'command',
      'args',
      'env',
      'cwd',
      'url',
      'headers',
      'type',
      'timeout',
      'oauth',
      'auth',
      'env_vars',
      'http_headers',
      'transport',
      'environment',
      'requestOptions',
      'serverUrl',
      'includeTools',
      'disabledTools',
    );
    const entry = fc.dictionary(member, value);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), entry), fc.constantFrom(...importNames), (all, client) => {
        const imported = read(client, JSON.stringify(settingsOf(client, all)));
        for (const { entry: made } of imported.servers) {
          for (const texts of [made['env'], made['headers']]) {
            expect(Object.values(texts ?? {}).every((text) => typeof text === 'string')).toBe(true);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('convertReferences', () => {
  it.each([
    ['claude-code', 'a$b', 'a\\$b'],
    ['claude-code', `\${A}\${B:-c}$`, `\${A}\${B:-c}\\$`],
    ['vscode', `\${input:1 My-Key}`, `\${_1_MY_KEY}`],
    ['vscode', `\${command:pick}`, `\\\${command:pick}`],
    ['vscode', `\${userHome}/x\${/}y`, `\${HOME}/x/y`],
    ['cursor', `\${env:a b}`, `\\\${env:a b}`],
    ['codex', 'keychain:x', `\${_:-keychain:x}`],
    ['opencode', 'a{env:B}$', `a\${B}\\$`],
    ['continue', `a\${{secrets.B}}c`, `a\${B}c`],
    ['kiro', `\${file:-x}`, `\${file:-x}`],
    ['zed', `\${A}`, `\\\${A}`],
    ['gemini-cli', 'keychain:x', 'keychain:x'],
  ] as const)('%s: %j', (client, text, expected) => {
    expect(convertReferences(text, client).text).toBe(expected);
  });
});

describe('detectClient', () => {
  it.each([
    ['/home/me/.codex/config.toml', '', 'codex'],
    ['/home/me/.gemini/settings.json', '{}', 'gemini-cli'],
    ['C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json', '{}', 'claude-desktop'],
    ['/p/.cursor/mcp.json', '{}', 'cursor'],
    ['.vscode/mcp.json', '{}', 'vscode'],
    ['/p/.mcp.json', '{}', 'claude-code'],
    ['/p/mcp.json', '{"servers": {}}', 'vscode'],
    ['/p/mcp.json', '{"mcpServers": {}}', 'claude-code'],
    ['/p/x', '[mcp_servers.a]', 'codex'],
    ['/home/me/.config/opencode/opencode.jsonc', '{}', 'opencode'],
    ['/home/me/.copilot/mcp-config.json', '{}', 'copilot-cli'],
    ['.github/mcp.json', '{}', 'copilot-cli'],
    ['.qwen/settings.json', '{}', 'qwen-code'],
    ['/home/me/.cline/data/settings/cline_mcp_settings.json', '{}', 'cline'],
    ['/p/.continue/mcpServers/x.yaml', '', 'continue'],
    ['/home/me/.gemini/config/mcp_config.json', '{}', 'antigravity'],
    ['.agents/mcp_config.json', '{}', 'antigravity'],
    ['C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json', '{}', 'zed'],
    ['/p/x.json', '{"context_servers": {}}', 'zed'],
    ['.kiro/settings/mcp.json', '{}', 'kiro'],
    ['/home/me/.lmstudio/mcp.json', '{}', 'lm-studio'],
  ])('%s is known', (path, text, client) => {
    expect(detectClient(path, text)).toBe(client);
  });
});
