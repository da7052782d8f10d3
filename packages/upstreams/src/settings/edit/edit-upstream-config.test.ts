import { describe, expect, it } from 'vitest';
import { readUpstreamConfig } from '../read-upstream-config.ts';
import { describeTarget, showEntry } from '../show-entry.ts';
import { editUpstreamConfig, type UpstreamConfigEdit } from './edit-upstream-config.ts';

const put = (name: string, entry: Record<string, unknown>): UpstreamConfigEdit => ({
  type: 'put',
  servers: new Map([[name, entry]]),
});
const textOf = (text: string | null, edit: UpstreamConfigEdit): unknown => {
  const edited = editUpstreamConfig(text, edit, 's.json');
  return edited.type === 'edited' ? edited.text : edited.problems.map(({ line, message }) => `${line}: ${message}`);
};

describe('editUpstreamConfig', () => {
  it.each([null, '', ' \n'])('creates missing settings: %j', (text) => {
    expect(textOf(text, put('a', { command: 'x' }))).toBe(
      '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n',
    );
  });

  it('adds the variables that a server refers to', () => {
    const text = '{ "mcp": { "variables": ["A"] } }';
    const edited = editUpstreamConfig(
      text,
      put('a', { command: 'x', args: ['$HOME'], env: { K: `$A\${B:-$C}` } }),
      's.json',
    );
    expect(edited).toMatchObject({ type: 'edited', allowed: ['B', 'C'] });
    expect(edited).toMatchObject({ text: expect.stringContaining('"A",') });
    expect(
      editUpstreamConfig(null, put('a', { url: 'https://x', headers: { A: 'Bearer $T' } }), 's.json'),
    ).toMatchObject({
      allowed: ['T'],
    });
  });

  it('refuses what would be a mistake, and says where', () => {
    expect(textOf(null, put('a', { command: 'x', env: { LD_PRELOAD: 'y' } }))).toEqual([
      expect.stringContaining('LD_PRELOAD is not passed on'),
    ]);
    expect(textOf(null, put('a\u0007', { command: 'x' }))).toEqual([expect.stringContaining('The name of a server')]);
    expect(textOf(null, put('', { command: 'x' }))).toEqual([expect.stringContaining('The name of a server')]);
    expect(textOf(null, put('x'.repeat(101), { command: 'x' }))).toHaveLength(1);
  });

  it('leaves a file alone that is not JSON or has another structure', () => {
    expect(textOf('{\n"mcpServers": {', put('a', { command: 'x' }))).toEqual([
      '2: Not valid JSON: a } is missing. The whole file is ignored.',
    ]);
    expect(textOf('{\n"mcpServers": []}', put('a', { command: 'x' }))).toEqual(['2: Has to be an object: {…}.']);
    expect(textOf('{"mcp": {"variables": "A"}}', put('a', { command: '$X' }))).toEqual([
      expect.stringContaining('list of texts'),
    ]);
    expect(textOf('[', { type: 'remove', server: 'a' })).toHaveLength(1);
    expect(textOf('[', { type: 'enable', server: 'a', isEnabled: false })).toHaveLength(1);
  });

  it('lets mistakes of other servers be, so that they can be mended one by one', () => {
    const text = '{"mcpServers": {"bad": {"comand": "x"}}}';
    expect(textOf(text, put('a', { command: 'x' }))).toContain('"comand"');
    expect(textOf(text, { type: 'remove', server: 'bad' })).toBe('{"mcpServers": {}}');
  });

  it('switches a server off and on', () => {
    const text = '{\n  "mcpServers": {\n    "a": {\n      "command": "x" // mine\n    }\n  }\n}';
    const off = textOf(text, { type: 'enable', server: 'a', isEnabled: false });
    expect(off).toBe(text.replace('"x" // mine', '"x", // mine\n      "enabled": false'));
    expect(textOf(String(off), { type: 'enable', server: 'a', isEnabled: true })).toBe(text);
  });

  it('keeps a mark at the beginning of the file', () => {
    expect(textOf('\ufeff{}', put('a', { command: 'x' }))).toMatch(/^\ufeff\{\n {2}"mcpServers"/);
  });

  it('creates no file without a change', () => {
    expect(textOf(null, { type: 'remove', server: 'a' })).toBe('');
    expect(textOf(null, { type: 'put', servers: new Map() })).toBe('');
    expect(textOf('{ }', { type: 'enable', server: 'a', isEnabled: true })).toBe('{ }');
  });

  it('leaves no twin', () => {
    const text = '{"mcpServers": {"a": {"command": "1"}, "a": {"command": "2"}}}';
    expect(textOf(text, { type: 'remove', server: 'a' })).toBe('{"mcpServers": {}}');
    expect(textOf(text, put('a', { command: '3' }))).toBe('{"mcpServers": {"a": {"command":"3"} }}');
  });

  it.each(['__proto__', 'constructor', 'a.b', '*', 'none', '"', 'ä'])('a server may be called %j', (name) => {
    const text = String(textOf('{}', put(name, { command: 'x' })));
    expect(text).toContain(JSON.stringify(name));
    expect(textOf(text, { type: 'remove', server: name })).not.toContain('command');
  });
});

describe('showEntry', () => {
  it('hides possible secrets and lists their places', () => {
    const { text, secrets } = showEntry({
      command: 'x',
      args: ['--api-key', 'sk-1', '--token=t0k', '--port', '80', '-y'],
      env: { API_KEY: 'abc', LANG: 'de', TOKEN: '$TOKEN', MY_TOKEN: 'keychain:mine' },
      headers: { Authorization: 'Bearer abc', 'X-Any': 'v', Accept: 'text/plain' },
      url: 'https://me:pw@x.example/?key=abc&page=1',
      oauth: { clientId: 'id', clientSecret: 'sh', scopes: ['a'] },
    });
    expect(text).not.toMatch(/sk-1|t0k|abc|pw@|"sh"|"v"/);
    for (const shown of ['"-y"', '"de"', '"$TOKEN"', '"keychain:mine"', 'page=1', '"id"', 'text/plain', '"80"']) {
      expect(text).toContain(shown);
    }
    expect(secrets).toEqual([
      'args --api-key',
      'args --token=',
      'env.API_KEY',
      'headers.Authorization',
      'headers.X-Any',
      'url',
      'url ?key',
      'oauth.clientSecret',
    ]);
  });

  it('hides logins in the addresses that programs are given', () => {
    const { text, secrets } = showEntry({
      command: 'npx',
      args: ['-y', 'server-postgres', 'postgresql://ada:lovelace@db.example/notes'],
      env: { DATABASE_URL: 'mongodb+srv://ada:lovelace@db.example/', OTHER: `https://\${USER}:\${PASS}@x.example/` },
    });
    expect(text).not.toContain('lovelace');
    expect(text).toContain('postgresql://<12 characters>@db.example/notes');
    expect(text).toContain(`https://\${USER}:\${PASS}@x.example/`);
    expect(secrets).toEqual(['args', 'env.DATABASE_URL']);
  });

  it('has short lists on one line, and long ones on several', () => {
    const args = ['-y', 'a, b', 'c"]', '\n'];
    expect(showEntry({ command: 'npx', args }).text).toBe(
      '{\n  "command": "npx",\n  "args": ["-y", "a, b", "c\\"]", "\\n"]\n}',
    );
    expect(showEntry({ command: 'npx', args: ['x'.repeat(60), 'y'.repeat(60)] }).text.split('\n')).toHaveLength(7);
  });

  it('lets nothing act on the terminal', () => {
    expect(showEntry({ command: '\u001b[2J\u202e', args: ['a\nb'] }).text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  });
});

describe('describeTarget', () => {
  it.each([
    [
      { command: 'npx', args: ['-y', 'a b', '$HOME/x', '--token', 'sk-1', '--key=k'] },
      `npx -y "a b" \${HOME}/x --token "<4 characters>" "--key=<1 characters>"`,
    ],
    [
      { url: 'https://me:pw@x.example/mcp?api_key=abc&page=1' },
      'https://<5 characters>@x.example/mcp?api_key=<3 characters>&page=1',
    ],
    [{ url: `https://\${REGION:-eu}.example/mcp` }, `https://\${REGION:-eu}.example/mcp`],
  ])('%j', (entry, place) => {
    const { servers } = readUpstreamConfig(JSON.stringify({ mcpServers: { a: entry } }), 's.json');
    expect([...servers.values()].map(describeTarget)).toEqual([place]);
  });
});
