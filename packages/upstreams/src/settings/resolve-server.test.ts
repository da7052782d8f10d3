import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { readUpstreamConfig } from './read-upstream-config.ts';
import { resolveServer } from './resolve-server.ts';
import { fillTemplate, parseTemplate, type TemplateValues } from './value-template.ts';

const values: TemplateValues = {
  allowed: ['UNSET', 'A', 'B'],
  variables: new Map([
    ['A', '1'],
    ['B', '$A'],
    ['EMPTY', ''],
    ['LOOP', '${LOOP}'],
    ['HOST', 'example.com'],
  ]),
  secretOf: (kind, name) => (name === 'known' || name === '/known' ? `<${kind}>` : null),
};

const fill = (value: string) => fillTemplate(parseTemplate(value), values);

describe('a value with references', () => {
  it.each([
    ['$A', '1'],
    ['x$A-${A}y', 'x1-1y'],
    ['${NONE:-x}', 'x'],
    ['${EMPTY:-x}', 'x'],
    ['$EMPTY', ''],
    ['${A:-x}', '1'],
    ['${NONE:-${A}}', '1'],
    ['${NONE:-${OTHER:-$(id)}}', '$(id)'],
    ['${NONE:-}', ''],
    ['${NONE:-a:-b}', 'a:-b'],
    ['$B', '$A'],
    ['$LOOP', '${LOOP}'],
    ['\\$A', '$A'],
    ['$(id) `id` $$ $ ${ ${} ${1} $1', '$(id) `id` $$ $ ${ ${} ${1} $1'],
    ['${A', '${A'],
    ['${A:=x}', '${A:=x}'],
    ['Bearer ${keychain:known}', 'Bearer <keychain>'],
    ['keychain:known', '<keychain>'],
    ['file:/known', '<file>'],
    ['see file:/known', 'see file:/known'],
    ['C:\\dir', 'C:\\dir'],
    ['', ''],
  ])('HUB-06: %s is %s', (value, text) => {
    expect(fill(value)).toEqual({ text });
  });

  it.each(['${', '${A:-', '${A}${', '$', '}'])('UPSTREAM-M6: looks a few times at each character of %s', (piece) => {
    const value = piece.repeat(Math.floor(9_000 / piece.length));
    const looks = [vi.spyOn(String.prototype, 'startsWith'), vi.spyOn(String.prototype, 'slice')];
    parseTemplate(value);
    const calls = looks.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    vi.restoreAllMocks();
    expect(calls).toBeLessThan(10 * value.length);
  });

  it.each([
    ['$UNSET', 'the variable UNSET, which is not set in the environment of this program'],
    ['$PATH', 'the variable PATH, which is not listed in mcp.variables of the settings'],
    ['${NONE:-$UNSET}', 'the variable UNSET, which is not set in the environment of this program'],
    ['keychain:lost', 'the secret keychain:lost, which does not exist'],
  ])('%s names the missing value and the reason', (value, missing) => {
    expect(fill(value)).toEqual({ missing });
  });

  it('stays unchanged without a dollar sign or secret', () => {
    const plain = fc
      .string({ unit: 'binary', maxLength: 50 })
      .filter((text) => !/[$\\]|^(?:keychain|file):/.test(text));
    fc.assert(
      fc.property(plain, (text) => {
        expect(fill(text)).toEqual({ text });
      }),
    );
  });

  it('HUB-06: comes to an end, whatever it is', () => {
    const pieces = fc.constantFrom('${', '}', '$', 'A', ':-', '\\', 'keychain:', '{', 'NONE');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (list) => {
        const filled = fill(list.join(''));
        expect('text' in filled || filled.missing.length > 0).toBe(true);
      }),
    );
    expect(fill('${A:-'.repeat(5_000))).toHaveProperty('text');
  });
});

function resolve(server: object) {
  const entry = readUpstreamConfig(JSON.stringify({ mcpServers: { one: server } }), 'f').servers.get('one');
  return entry === undefined
    ? null
    : resolveServer(entry, { values, baseDirectory: '/home/u', joinPath: posix.resolve });
}

describe('a server', () => {
  it('is reached with all references put in', () => {
    expect(resolve({ command: 'run-$A', args: ['${A}'], env: { K: 'file:/known' }, cwd: 'x/${A}' })).toEqual({
      resolved: true,
      transport: {
        type: 'stdio',
        program: { command: 'run-1', arguments: ['1'], environment: { K: '<file>' }, workingDirectory: '/home/u/x/1' },
      },
    });
    expect(resolve({ url: 'https://$HOST/mcp', headers: { 'X-Key': 'keychain:known' } })).toEqual({
      resolved: true,
      transport: { type: 'either', url: 'https://example.com/mcp', headers: { 'X-Key': '<keychain>' } },
    });
    expect(resolve({ command: 'a' })).toMatchObject({ transport: { program: { workingDirectory: '/home/u' } } });
  });

  it.each<[string, object, RegExp]>([
    [
      'a variable that was not named',
      { command: 'a', env: { T: '$GITHUB_TOKEN' } },
      /^Its env\.T needs the variable GITHUB_TOKEN, which is not listed in mcp\.variables of the settings/,
    ],
    [
      'a secret that is not there',
      { url: 'https://a', headers: { K: 'keychain:lost' } },
      /^Its headers\.K needs the secret keychain:lost/,
    ],
    ['a file', { url: 'file:///etc/passwd' }, /^Its url has to begin with https/],
    ['a secret as an address', { url: 'keychain:known' }, /^Its url has to begin with https/],
    ['a script', { url: 'javascript:alert(1)' }, /^Its url has to begin with https/],
    ['no address', { url: 'example.com' }, /^Its url has to begin with https/],
    [
      'a password in the address',
      { url: 'https://user:secret@example.com/' },
      /^Its url has a user name or a password/,
    ],
    [
      'the credentials of a cloud',
      { url: 'http://169.254.169.254/latest' },
      /^Its url is the metadata address of a cloud/,
    ],
    ['the same, otherwise written', { url: 'http://0xa9fea9fe/latest' }, /^Its url is the metadata address of a cloud/],
    ['the same by name', { url: 'http://metadata.google.internal./' }, /^Its url is the metadata address of a cloud/],
    ['headers in the clear', { url: 'http://example.com/', headers: { A: 'b' } }, /headers would be sent in the clear/],
    ['a header of two lines', { url: 'https://a/', headers: { A: 'b\r\nC: d' } }, /^A header has a name or a value/],
    ['a null character', { command: 'a', args: ['\u0000'] }, /^A program does not accept null character/],
  ])('HUB-07: is not reached by %s', (_, server, problem) => {
    expect(resolve(server)).toEqual({ resolved: false, problem: expect.stringMatching(problem) });
  });

  it('has its address checked with its settings, unless it contains references', () => {
    const problemsOf = (server: object) =>
      readUpstreamConfig(JSON.stringify({ mcpServers: { one: server } }), 'f').problems.map(({ path, message }) => [
        path,
        message,
      ]);
    expect(problemsOf({ httpUrl: 'https://ada:secret@example.com/' })).toEqual([
      ['mcpServers.one.httpUrl', 'Its url has a user name or a password. Put them into headers, as a reference.'],
    ]);
    expect(problemsOf({ url: 'http://$HOST/', headers: { A: 'b' } })).toEqual([]);
  });

  it.each([
    ...[
      'http://localhost:3000/mcp',
      'http://127.0.0.1:3000/mcp',
      'http://[::1]/',
      'http://192.168.1.5:8123/',
      'http://10.0.0.1/',
    ],
    ...['http://172.31.0.1/', 'http://host.docker.internal/', 'http://nas.local/', 'http://nas/', 'http://[fd12::1]/'],
  ])('is reached in the clear in a network of its own: %s', (url) => {
    expect(resolve({ url, headers: { A: 'b' } })).toMatchObject({ resolved: true });
  });

  it.each([
    'http://172.32.0.1/',
    'http://11.0.0.1/',
    'http://192.168.1.5.example.com/',
    'http://10.example.com/',
    'http://[2001:db8::1]/',
    'http://127.0.0.1.nip.io/',
  ])('sends no header in the clear to the world: %s', (url) => {
    expect(resolve({ url, headers: { A: 'b' } })).toMatchObject({ resolved: false });
    expect(resolve({ url })).toMatchObject({ resolved: true });
  });
});
