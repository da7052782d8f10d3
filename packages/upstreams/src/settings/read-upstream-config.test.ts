import { describe, expect, it } from 'vitest';
import { offersTool } from './read-server-entry.ts';
import { isServerOn, mergeUpstreamConfig, readUpstreamConfig } from './read-upstream-config.ts';
import { describeProblem } from './settings-node.ts';

const read = (settings: unknown) => readUpstreamConfig(JSON.stringify(settings, null, 2), 'settings.json');
const one = (server: unknown) => read({ mcpServers: { one: server } });
const problemsOf = (server: unknown) => one(server).problems.map(describeProblem);
const text = (value: string) => [{ type: 'text', text: value }];

describe('settings of servers', () => {
  it('have every property that users of the Gemini CLI know', () => {
    const { servers, problems } = read({
      mcpServers: {
        local: {
          command: 'docker',
          args: ['run', '-v', '${PWD}:/workspace'],
          env: { API_KEY: '$EXTERNAL_SERVICE_TOKEN', MODE: '${MODE:-fast}', SECRET: 'keychain:github' },
          cwd: './server-directory',
          timeout: 30_000,
          trust: true,
          includeTools: ['safe_tool'],
          excludeTools: ['dangerous_tool'],
          description: 'A server.',
        },
        remote: {
          httpUrl: 'https://my-gcp-service.run.app/mcp',
          headers: { Authorization: 'Bearer ${file:/run/token}' },
          authProviderType: 'google_credentials',
          oauth: {
            enabled: true,
            clientId: 'c',
            clientSecret: '$CLIENT',
            scopes: ['s'],
            redirectUri: 'http://localhost:7777/oauth/callback',
            tokenParamName: 't',
            audiences: ['a'],
            authorizationUrl: 'https://a/',
            tokenUrl: 'https://t/',
          },
          targetAudience: 'audience',
          targetServiceAccount: 'account',
        },
        older: { url: 'https://api.example.com/sse', type: 'sse' },
        either: { url: 'https://api.example.com/' },
      },
    });
    expect(problems).toEqual([]);
    expect(servers.get('local')).toMatchObject({
      transport: {
        type: 'stdio',
        command: text('docker'),
        arguments: [
          text('run'),
          text('-v'),
          [{ type: 'variable', name: 'PWD', fallback: null }, ...text(':/workspace')],
        ],
        environment: new Map<string, unknown>([
          ['API_KEY', [{ type: 'variable', name: 'EXTERNAL_SERVICE_TOKEN', fallback: null }]],
          ['MODE', [{ type: 'variable', name: 'MODE', fallback: text('fast') }]],
          ['SECRET', [{ type: 'secret', kind: 'keychain', name: 'github' }]],
        ]),
        workingDirectory: text('./server-directory'),
      },
      timeoutMs: 30_000,
      isTrusted: true,
      includeTools: ['safe_tool'],
      excludeTools: ['dangerous_tool'],
      description: 'A server.',
      authProviderType: 'dynamic_discovery',
      isEnabled: true,
      isShared: false,
      pin: 'on',
    });
    expect(servers.get('remote')).toMatchObject({
      transport: {
        type: 'http',
        headers: new Map([
          ['Authorization', [...text('Bearer '), { type: 'secret', kind: 'file', name: '/run/token' }]],
        ]),
      },
      isTrusted: false,
      includeTools: null,
      authProviderType: 'google_credentials',
      oauth: { isEnabled: true, clientId: text('c'), scopes: ['s'], audiences: ['a'], tokenParamName: 't' },
      targetAudience: 'audience',
      targetServiceAccount: 'account',
    });
    expect([...servers.values()].map(({ transport }) => transport.type)).toEqual(['stdio', 'http', 'sse', 'either']);
  });

  it('are read with comments and commas after the last member, as the examples of the CLI have them', () => {
    const settings = `{
      "mcpServers": {
        "filteredServer": {
          "command": "python",
          "args": ["-m", "my_mcp_server"],
          // "excludeTools": ["dangerous_tool"],
          "timeout": 30000, /* half a minute */
        },
      },
    }`;
    const { servers, problems } = readUpstreamConfig(settings, 'settings.json');
    expect(problems).toEqual([]);
    expect(servers.get('filteredServer')?.timeoutMs).toBe(30_000);
  });

  it.each<[string, unknown, readonly string[]]>([
    [
      'a property with a mistake in it',
      { command: 'a', timeuot: 1 },
      ['settings.json:5: mcpServers.one.timeuot: Unknown property. Did you mean "timeout"?'],
    ],
    [
      'a property of another program',
      { command: 'a', gallery: [] },
      [expect.stringMatching(/^settings\.json:5: mcpServers\.one\.gallery: Unknown property\. Known are command, /)],
    ],
    [
      'a limit in words',
      { command: 'a', timeout: '30s' },
      ['settings.json:5: mcpServers.one.timeout: Has to be a whole number of milliseconds from 1 to 3600000.'],
    ],
    [
      'trust in words',
      { command: 'a', trust: 'yes' },
      ['settings.json:5: mcpServers.one.trust: Has to be true or false.'],
    ],
    [
      'arguments other than a list',
      { command: 'a', args: '-x' },
      ['settings.json:5: mcpServers.one.args: Has to be a list of texts: ["…"].'],
    ],
    [
      'an unknown way of login',
      { url: 'https://a', authProviderType: 'google_credential', oauth: { scopes: ['a'] } },
      [
        'settings.json:5: mcpServers.one.authProviderType: Has to be one of dynamic_discovery, google_credentials, service_account_impersonation. Did you mean "google_credentials"?',
      ],
    ],
    [
      'credentials of Google without scopes',
      { url: 'https://a', authProviderType: 'google_credentials' },
      ['settings.json:3: mcpServers.one: Needs oauth.scopes for authProviderType google_credentials.'],
    ],
    [
      'impersonation without an account',
      { url: 'https://a', authProviderType: 'service_account_impersonation' },
      [
        'settings.json:3: mcpServers.one: Needs targetAudience and targetServiceAccount for authProviderType service_account_impersonation.',
      ],
    ],
    ['no way to reach it', { args: [] }, ['settings.json:3: mcpServers.one: Needs command, or url.']],
    [
      'two ways to reach it',
      { command: 'a', url: 'https://a' },
      ['settings.json:3: mcpServers.one: Has command and url: give one of them.'],
    ],
    [
      'a type that does not go with it',
      { command: 'a', type: 'http' },
      ['settings.json:5: mcpServers.one.type: Does not go with command.'],
    ],
    [
      'headers for a program',
      { command: 'a', headers: {} },
      ['settings.json:5: mcpServers.one.headers: Has no meaning together with command.'],
    ],
    [
      'a variable that loads a library',
      { command: 'a', env: { LD_PRELOAD: '/x.so', NODE_OPTIONS: '-r x', OK: '1' } },
      [
        'settings.json:5: mcpServers.one.env: The variable LD_PRELOAD is not passed on: it makes programs load other code.',
        'settings.json:5: mcpServers.one.env: The variable NODE_OPTIONS is not passed on: it makes programs load other code.',
      ],
    ],
    ['a text in the place of a server', 'npx x', ['settings.json:3: mcpServers.one: Has to be an object: {…}.']],
  ])('report %s by its line', (_, server, problems) => {
    expect(problemsOf(server)).toEqual(problems);
  });

  it('HUB-05: pass no variable on that makes a program load something else', () => {
    const { servers } = one({
      command: 'a',
      env: { LD_PRELOAD: '/x.so', DYLD_INSERT_LIBRARIES: 'x', NODE_OPTIONS: '-r x', BASH_ENV: 'x', OK: '1' },
    });
    expect(servers.get('one')?.transport).toMatchObject({ environment: new Map([['OK', text('1')]]) });
  });

  it('keep the valid servers, and nothing of a file that is not JSON', () => {
    const { servers, problems } = read({ mcpServers: { wrong: {}, right: { command: 'a' } } });
    expect([...servers.keys()]).toEqual(['right']);
    expect(problems).toHaveLength(1);
    const broken = readUpstreamConfig('{\n "mcpServers": {\n "a": { "command": }\n', 'settings.json');
    expect([broken.servers.size, broken.problems.map(describeProblem)]).toEqual([
      0,
      ['settings.json:3: Not valid JSON: a value is missing here. The whole file is ignored.'],
    ]);
    const deep = readUpstreamConfig('['.repeat(100_000), 'settings.json');
    expect([deep.servers.size, deep.problems.length]).toEqual([0, 1]);
  });

  it.each([
    ['{"mcpServers": {"a": {"command": "x" "args": []}}}', 'a comma is missing before this'],
    ['{"mcpServers": {"a": {"command": "x"', 'a } is missing'],
    ["{'mcpServers': {}}", 'this has no meaning there'],
    ['{"mcpServers": {"a": {"command": "C:\\data"}}}', 'a \\ in a text has to be written \\\\'],
    ['{"mcpServers": {"a": {"command": "x}}}', 'a text has no end: its second quote is missing'],
  ])('explain invalid JSON in words: %j', (text, words) => {
    const [problem] = readUpstreamConfig(text, 'settings.json').problems;
    expect(problem?.message).toBe(`Not valid JSON: ${words}. The whole file is ignored.`);
  });

  it.each(['', ' \n', '\ufeff'])('are empty for an empty file, without a problem: %j', (text) => {
    const { servers, problems } = readUpstreamConfig(text, 'settings.json');
    expect([servers.size, problems]).toEqual([0, []]);
  });

  it.each([
    [{ mcpServer: {} }, 'Unknown property. Did you mean "mcpServers"?'],
    [{ mcpServers: { a: { command: 'x', alwaysAllow: ['y'] } } }, 'Unknown property. Did you mean "trust"?'],
  ])('report unknown properties with the known name: %j', (settings, message) => {
    expect(read(settings).problems.map((problem) => problem.message)).toEqual([message]);
  });

  it("leave a server off, and report it, if another client's property disables it", () => {
    const { servers, problems } = one({ command: 'a', disabled: true });
    expect([servers.get('one')?.isEnabled, problems.length]).toEqual([false, 1]);
    expect(one({ command: 'a', disabled: false }).servers.get('one')?.isEnabled).toBe(true);
  });

  it('HUB-03: have servers of any name, also of names that objects have by themselves', () => {
    const names = ['__proto__', 'constructor', '*', 'none', 'a_b', 'a b', 'toString'];
    const settings = `{"mcpServers":{${names.map((name) => `"${name}":{"command":"${name}"}`).join(',')}}}`;
    const { servers } = readUpstreamConfig(settings, 'settings.json');
    expect([...servers].map(([name, { transport }]) => [name, transport.type])).toEqual(
      names.map((name) => [name, 'stdio']),
    );
    expect(Object.getPrototypeOf(servers.get('__proto__'))).toBe(Object.prototype);
  });

  it.each(['', 'a'.repeat(101), 'a\nb', 'a\u202eb', 'a\u200bb'])('HUB-03: refuse the name %j', (name) => {
    const { servers, problems } = read({ mcpServers: { [name]: { command: 'a' } } });
    expect([servers.size, problems.length]).toEqual([0, 1]);
  });

  it('report a repeated server', () => {
    const { servers, problems } = readUpstreamConfig('{"mcpServers":{"a":{"command":"x"},\n"a":{"command":"y"}}}', 'f');
    expect(problems.map(describeProblem)).toEqual(['f:2: mcpServers.a: Is there twice. The last one counts.']);
    expect(servers.get('a')?.transport).toMatchObject({ command: text('y') });
  });

  it('have one digest per server in any order, and another after each change', () => {
    const digest = (server: unknown) => one(server).servers.get('one')?.digest;
    const usual = digest({ command: 'a', args: ['b'], env: { A: '1', B: '$C' } });
    expect(usual).toMatch(/^[0-9a-f]{64}$/);
    expect(
      digest({ env: { B: '$C', A: '1' }, args: ['b'], command: 'a', trust: true, timeout: 5, includeTools: [] }),
    ).toBe(usual);
    const others = [
      { command: 'a', args: ['b'] },
      { command: 'a', args: ['b', ''], env: { A: '1', B: '$C' } },
      { command: 'a', args: ['b'], env: { A: '1', B: '$D' } },
      { command: 'a', args: ['b'], env: { A: '1', B: '\\$C' } },
      { command: 'a', args: ['b'], env: { A: '1', B: '$C' }, cwd: '/' },
      { url: 'https://a' },
      { url: 'https://b' },
      { url: 'https://a', type: 'http' },
      { url: 'https://a', oauth: { clientId: 'x' } },
    ];
    expect(new Set([usual, ...others.map(digest)]).size).toBe(others.length + 1);
  });
});

describe('lists of servers and tools', () => {
  it.each<[string, unknown, readonly string[]]>([
    ['all servers without lists', {}, ['a', 'b', 'c']],
    ['allowed servers', { allowed: ['a', 'b', 'x'] }, ['a', 'b']],
    ['servers that are not excluded', { excluded: ['b'] }, ['a', 'c']],
    ['none that is both', { allowed: ['a', 'b'], excluded: ['b'] }, ['a']],
    ['no server if the list cannot be read', { allowed: 'a' }, []],
    ['no server if the list of excluded servers cannot be read', { excluded: 'a' }, []],
    ['no server if all of it cannot be read', 7, []],
  ])('leave on %s', (_, mcp, on) => {
    const settings = read({
      mcpServers: {
        a: { command: 'x' },
        b: { command: 'x' },
        c: { command: 'x' },
        d: { command: 'x', enabled: false },
      },
      mcp,
    });
    expect(['a', 'b', 'c', 'd', 'none'].filter((name) => isServerOn(settings, name))).toEqual(on);
  });

  it('are the narrowest of several files, with entries of the first file', () => {
    const operator = read({
      mcpServers: { a: { command: 'operator' } },
      mcp: { allowed: ['a', 'b'], variables: ['ONE'] },
    });
    const user = read({
      mcpServers: { a: { command: 'user' }, b: { command: 'user' }, c: { command: 'user' } },
      mcp: { excluded: ['b'], variables: ['OTHER'] },
    });
    const merged = mergeUpstreamConfig([operator, user]);
    expect(['a', 'b', 'c'].filter((name) => isServerOn(merged, name))).toEqual(['a']);
    expect(merged.servers.get('a')?.transport).toMatchObject({ command: text('operator') });
    expect(merged.variables).toEqual(expect.arrayContaining(['HOME', 'ONE', 'OTHER']));
  });

  it.each<[object, readonly string[]]>([
    [{}, ['a', 'b', 'ab']],
    [{ includeTools: ['a'] }, ['a']],
    [{ includeTools: ['a(path)', 'b'] }, ['a', 'b']],
    [{ excludeTools: ['a'] }, ['b', 'ab']],
    [{ includeTools: ['a', 'b'], excludeTools: ['b'] }, ['a']],
    [{ includeTools: 'a' }, []],
    [{ includeTools: [] }, []],
  ])('of tools %j offer %j', (lists, offered) => {
    const entry = one({ command: 'x', ...lists }).servers.get('one');
    expect(['a', 'b', 'ab'].filter((tool) => entry !== undefined && offersTool(entry, tool))).toEqual(offered);
  });

  it('leave a server off whose word on that, or whose list of excluded tools, cannot be read', () => {
    expect(isServerOn(one({ command: 'x', excludeTools: 'a' }), 'one')).toBe(false);
    expect(isServerOn(one({ command: 'x', enabled: 'no' }), 'one')).toBe(false);
    expect(read({ mcpServers: {}, mcp: { excluded: 'a' } }).problems).toHaveLength(1);
  });
});
