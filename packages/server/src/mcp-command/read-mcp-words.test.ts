import { describe, expect, it } from 'vitest';
import { sampleProgram } from '../testing/sample-program.ts';
import { readMcpWords } from './read-mcp-words.ts';

const read = (...words: string[]) => readMcpWords(words, sampleProgram).action;
const added = (...words: string[]) => {
  const action = read('add', ...words);
  return action.action === 'add' ? [action.server, action.entry] : null;
};

describe('mcp add', () => {
  it.each([
    [
      ['my-stdio-server', '-e', 'API_KEY=123', '/path/to/server', 'arg1', 'arg2', 'arg3'],
      { command: '/path/to/server', args: ['arg1', 'arg2', 'arg3'], env: { API_KEY: '123' } },
    ],
    [
      ['python-server', 'python', 'server.py', '--port', '8080'],
      { command: 'python', args: ['server.py', '--port', '8080'] },
    ],
    [
      ['--transport', 'http', 'http-server', 'https://api.example.com/mcp/'],
      { url: 'https://api.example.com/mcp/', type: 'http' },
    ],
    [
      [
        '--transport',
        'http',
        'secure-http',
        'https://api.example.com/mcp/',
        '--header',
        'Authorization: Bearer abc123',
      ],
      { url: 'https://api.example.com/mcp/', type: 'http', headers: { Authorization: 'Bearer abc123' } },
    ],
    [
      ['--transport', 'sse', 'sse-server', 'https://api.example.com/sse/'],
      { url: 'https://api.example.com/sse/', type: 'sse' },
    ],
    [
      ['--transport', 'sse', 'secure-sse', 'https://api.example.com/sse/', '--header', 'Authorization: Bearer abc123'],
      { url: 'https://api.example.com/sse/', type: 'sse', headers: { Authorization: 'Bearer abc123' } },
    ],
  ])('takes the documented example %j', (words, entry) => {
    expect(added(...words)?.[1]).toEqual(entry);
  });

  it.each([
    ['a value with =', ['s', '-e', 'K=a=b', 'x'], { command: 'x', env: { K: 'a=b' } }],
    ['an empty value', ['s', '--env=K=', 'x'], { command: 'x', env: { K: '' } }],
    [
      'lists with commas, and given twice',
      ['s', '--include-tools', 'a, b', '--include-tools=c', '--exclude-tools', 'd', 'x'],
      { command: 'x', includeTools: ['a', 'b', 'c'], excludeTools: ['d'] },
    ],
    ['an address without a transport', ['s', 'https://x.example/mcp'], { url: 'https://x.example/mcp' }],
    [
      'flags after an address',
      [
        's',
        'https://x.example/mcp',
        '-H',
        'X-Api-Key:1: 2 ',
        '-t',
        'http',
        '--trust',
        '--timeout=5000',
        '--description',
        '-mine',
      ],
      {
        url: 'https://x.example/mcp',
        type: 'http',
        headers: { 'X-Api-Key': '1: 2' },
        timeout: 5000,
        trust: true,
        description: '-mine',
      },
    ],
    [
      'all after a command',
      ['s', 'docker', 'run', '-i', '--rm', '-e', 'K', 'img'],
      { command: 'docker', args: ['run', '-i', '--rm', '-e', 'K', 'img'] },
    ],
    ['-- before the command', ['s', '--', 'docker', '--', '-e'], { command: 'docker', args: ['-e'] }],
    ['-- after the command', ['s', 'npx', '--', '-y', 'p'], { command: 'npx', args: ['-y', 'p'] }],
    ['a later --', ['s', 'npm', 'run', 'x', '--', '-y'], { command: 'npm', args: ['run', 'x', '--', '-y'] }],
    ['the help of the program', ['s', 'x', '--help'], { command: 'x', args: ['--help'] }],
    [
      'names of objects',
      ['s', '-e', '__proto__=1', 'x'],
      { command: 'x', env: Object.fromEntries([['__proto__', '1']]) },
    ],
    ['a reference as it is', ['s', '-e', 'K=$K', 'x', '$HOME'], { command: 'x', args: ['$HOME'], env: { K: '$K' } }],
  ])('takes %s', (_, words, entry) => {
    expect(added(...words)?.[1]).toEqual(entry);
  });

  it.each([
    [['add'], 'a name is missing'],
    [['add', 's'], 'the command or the address of "s" is missing'],
    [['add', 'my files', 'x'], 'the name "my files" contains spaces. Use a name without spaces, such as "my-files".'],
    [['add', 's', '-e', 'K', 'x'], "'K=$K'"],
    [['add', 's', '-e', 'sk-secret-1', 'x'], "'NAME=$NAME'"],
    [['add', 's', '-e', 'A B=1', 'x'], '"A B" is not a valid variable name'],
    [['add', 's', '-e'], '--env: its value is missing'],
    [['add', 's', 'https://x.example', '-H', 'nothing'], '"Name: value"'],
    [['add', 's', 'https://x.example', '-H', 'A: b\nC: d'], 'line break'],
    [['add', 's', 'https://x.example', 'more'], '"more": unexpected argument after an address'],
    [['add', 's', 'https://x.example', '-e', 'K=1'], '--env: not valid for an address'],
    [['add', '-H', 'A: b', 's', 'x'], '--header: not valid for a command'],
    [['add', 's', 'file:///etc/passwd'], 'is not a command'],
    [['add', '-t', 'http', 's', 'x'], '--transport http'],
    [['add', '-t', 'stdio', 's', 'https://x.example'], '--transport stdio'],
    [['add', '-t', 'tcp', 's', 'x'], 'is not stdio, http or sse'],
    [['add', '-s', 'workspace', 's', 'x'], 'neither user nor project'],
    [['add', '--timeout', '1e3', 's', 'x'], 'not a whole number'],
    [['add', '--timeout', '0', 's', 'x'], 'not a whole number'],
    [['add', '--include-tools', 'a,,b', 's', 'x'], 'a name is missing'],
    [['add', '--timout', '1', 's', 'x'], 'Did you mean --timeout?'],
    [['add', '-x', 's', 'x'], '-x: mcp add has no such flag'],
    [['add', '--trust', '--trust', 's', 'x'], 'given more than once'],
    [['add', '--trust=no', 's', 'x'], 'it takes no value'],
    [['ad', 's'], 'Did you mean add?'],
    [['constructor'], 'unknown command'],
    [['__proto__'], 'unknown command'],
    [['remove'], 'the name of a server is missing'],
    [['remove', 'a', 'b'], '"b"'],
    [['approve'], '--project'],
    [['approve', '--project', 'a'], '"a"'],
    [['approve', 'a', '--yes'], 'give the digest that this command prints at its end without --yes'],
    [['import'], 'name a client'],
    [['import', 'codex', '--from', 'x'], '"codex"'],
    [['list', 'a', 'b'], '"b"'],
    [['remove', 'a', '--json'], '--json: mcp remove has no such flag'],
  ])('names the fault of %j', (words, message) => {
    expect(() => read(...words)).toThrow(message);
    expect(() => read(...words)).not.toThrow('sk-secret');
  });

  it('remarks that a flag goes to the program', () => {
    expect(read('add', 's', 'python', '--trust')).toMatchObject({
      entry: { command: 'python', args: ['--trust'] },
      remarks: [expect.stringContaining('--trust comes after the command')],
    });
    expect(read('add', 's', 'docker', '-e', 'K')).toMatchObject({ remarks: [] });
  });
});

describe('the other words after mcp', () => {
  it.each([
    [[], { action: 'list', server: null, json: false }],
    [['--json'], { action: 'list', server: null, json: true }],
    [['list', 'a'], { action: 'list', server: 'a', json: false }],
    [['--help'], { action: 'help' }],
    [['add', '-h'], { action: 'help' }],
    [['help'], { action: 'help' }],
    [['remove', 'a'], { action: 'remove', server: 'a', scope: null }],
    [['enable', '-s', 'project', 'a'], { action: 'enable', server: 'a', scope: 'project' }],
    [['disable', '--scope=user', 'a'], { action: 'disable', server: 'a', scope: 'user' }],
    [['remove', '--', '-odd'], { action: 'remove', server: '-odd', scope: null }],
    [['login', 'a'], { action: 'login', server: 'a' }],
    [['logout', 'a'], { action: 'logout', server: 'a' }],
    [['approve', 'a'], { action: 'approve', what: { type: 'tools', server: 'a', tools: 'all' }, confirmed: null }],
    [
      ['approve', 'a', 't', 'u', '-y', '3f2a'],
      { action: 'approve', what: { type: 'tools', server: 'a', tools: ['t', 'u'] }, confirmed: '3f2a' },
    ],
    [['approve', '--project', '--yes=3f2a'], { action: 'approve', what: { type: 'project' }, confirmed: '3f2a' }],
    [
      ['import', 'codex'],
      { action: 'import', from: { type: 'client', name: 'codex' }, scope: 'user', replaces: false, confirmed: null },
    ],
    [
      ['import', '--from', 'x.json', '-s', 'project', '--replace', '-y', '3f2a'],
      { action: 'import', from: { type: 'file', name: 'x.json' }, scope: 'project', replaces: true, confirmed: '3f2a' },
    ],
  ])('%j are understood', (words, action) => {
    expect(read(...words)).toEqual(action);
  });

  it('may name a principal if the program has several', () => {
    expect(readMcpWords(['approve', 'a', '--principal', 'ada'], sampleProgram).principal).toBe('ada');
    expect(readMcpWords(['list'], sampleProgram).principal).toBeNull();
    expect(() => read('remove', 'a', '--principal=ada')).toThrow('no such flag');
  });

  it('may have settings among them', () => {
    const { flags } = readMcpWords(['list', '--state-dir', '/state', '--read-only', '--working-dir=/x'], sampleProgram);
    expect([...flags]).toEqual([
      ['state-dir', '/state'],
      ['read-only', '1'],
      ['working-dir', '/x'],
    ]);
  });
});
