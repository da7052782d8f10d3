import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../../ports/upstreams/connection-state.ts';
import type { JudgedTool, UpstreamSnapshot } from '../../ports/upstreams/upstream-servers.ts';
import { formatServers } from './format-servers.ts';
import { type ViewServersOptions, viewServers } from './view-servers.ts';

const look: JudgedTool = {
  listed: {
    name: 'look',
    title: null,
    description: 'Looks at a file.\nAnd at nothing else.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Which one.' },
        lines: { type: ['integer', 'null'] },
        how: { enum: [1] },
      },
      required: ['path'],
    },
    outputSchema: null,
    annotations: {},
  },
  judgement: { type: 'offered' },
};
const put: JudgedTool = {
  listed: { ...look.listed, name: 'put', description: 'Puts.', inputSchema: {} },
  judgement: { type: 'withheld', reason: 'changed', diff: '-Puts.\n+Deletes.\n' },
};

const files: UpstreamSnapshot = {
  name: 'files',
  transport: 'stdio',
  description: 'My files',
  digest: 'd1',
  isTrusted: true,
  isShared: false,
  state: { type: 'connected', sinceMs: 0, failures: 0 },
  lists: {
    tools: [look, put],
    prompts: [
      {
        name: 'tidy',
        title: 'Tidy up',
        description: '',
        arguments: [{ name: 'where', description: '', isRequired: false }],
      },
    ],
    resources: [
      {
        uri: 'file:///{path}',
        isTemplate: true,
        name: 'a file',
        title: null,
        description: '',
        mediaType: 'text/plain',
      },
    ],
    instructions: null,
    leftOut: ['Three tools have no name.'],
    takenAtMs: 1_000,
  },
  listProblem: null,
};

function view(servers: readonly UpstreamSnapshot[], further: Partial<ViewServersOptions> = {}) {
  return viewServers({
    servers,
    off: [],
    problems: [],
    ownNames: ['gemini_query'],
    sha256: () => '0',
    nowMs: 10_000,
    ...further,
  });
}

const withState = (state: ConnectionState): UpstreamSnapshot => ({ ...files, state, lists: null });

describe('the view of other servers', () => {
  it("shows a server's state, offered and withheld tools, and their arguments", () => {
    const { servers } = view([files]);
    expect(servers).toEqual([
      {
        name: 'files',
        transport: 'stdio',
        description: 'My files',
        state: 'connected',
        problem: null,
        advice: 'Look at the tools that are withheld, and approve them: gemini-mcp-server mcp approve files',
        trusted: true,
        shared: false,
        listedAt: '1970-01-01T00:00:01.000Z',
        tools: [
          {
            name: 'look',
            title: null,
            description: 'Looks at a file.\nAnd at nothing else.',
            arguments: [
              { name: 'path', type: 'string', required: true, description: 'Which one.' },
              { name: 'lines', type: 'integer|null', required: false, description: '' },
              { name: 'how', type: 'any', required: false, description: '' },
            ],
            withheld: null,
            setAside: null,
            flags: [],
          },
          {
            name: 'put',
            title: null,
            description: 'Puts.',
            arguments: [],
            withheld: { reason: 'changed', diff: '-Puts.\n+Deletes.\n' },
            setAside: null,
            flags: [],
          },
        ],
        prompts: [
          {
            name: 'tidy',
            title: 'Tidy up',
            description: '',
            arguments: [{ name: 'where', description: '', required: false }],
          },
        ],
        resources: [
          { uri: 'file:///{path}', template: true, name: 'a file', description: '', mediaType: 'text/plain' },
        ],
        leftOut: ['Three tools have no name.'],
      },
    ]);
  });

  it('is text that says the same on few lines', () => {
    expect(formatServers(view([files], { problems: ['settings.json:3: what is this?'] }))).toBe(
      [
        'files: connected (stdio, trusted)',
        '  My files',
        '  To do: Look at the tools that are withheld, and approve them: gemini-mcp-server mcp approve files',
        '  2 tools:',
        '    look(path, lines?: integer|null, how?: any)  Looks at a file. And at nothing else.',
        '    put()  Puts.',
        '      withheld: it has changed',
        '  1 prompt:',
        '    tidy(where?)  Tidy up',
        '  1 resource:',
        '    file:///{path}  a file',
        '  Left out: Three tools have no name.',
        '  Listed 1970-01-01 00:00 UTC',
        '',
        'Settings: settings.json:3: what is this?',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [
      {
        type: 'failed',
        failure: { kind: 'not-started', detail: 'There is no program nope.' },
        failures: 1,
        retryAtMs: 15_000,
      },
      [
        'files: failed (stdio, trusted)',
        '  My files',
        '  Problem: There is no program nope. It is tried again in 5 s.',
        '  To do: Correct its command in the settings: it has to start in a terminal too.',
      ],
    ],
    [
      { type: 'awaiting-login', challenge: 'Bearer' },
      ['files: login required (stdio, trusted)', '  My files', '  To do: Log in: gemini-mcp-server mcp login files'],
    ],
    [
      { type: 'disconnected', failures: 0 },
      ['files: not connected: connects on the next request (stdio, trusted)', '  My files'],
    ],
  ] as const)('says what to do: %j', (state, lines) => {
    expect(formatServers(view([withState(state)]))).toBe(`${lines.join('\n')}\n`);
  });

  it('names the program as it was started', () => {
    const text = formatServers(
      view([withState({ type: 'awaiting-login', challenge: 'Bearer' })], { program: 'node main.js' }),
    );
    expect(text).toContain('To do: Log in: node main.js mcp login files');
  });

  it.each([
    [false, 'gemini-mcp-server-http mcp approve files --principal <your name>'],
    [true, 'gemini-mcp-server-http mcp approve files'],
  ])("shows a principal, who has no terminal, the operator's remedy; shared: %s", (isShared, command) => {
    const options = { off: [], problems: [], ownNames: [], sha256: () => '0', nowMs: 0, logsInBy: 'request' } as const;
    const [server] = viewServers({ ...options, servers: [{ ...files, isShared }] }).servers;
    expect(server?.advice).toBe(
      `The operator has to look at the tools that are withheld, and approve them: ${command}`,
    );
  });

  it('says where a server is, to those who may know it', () => {
    const options = { servers: [files], off: [], problems: [], ownNames: [], sha256: () => '0', nowMs: 0 };
    const text = formatServers(viewServers({ ...options, places: new Map([['files', 'node files.mjs']]) }));
    expect(text).toContain('files: connected (stdio, trusted)\n  node files.mjs\n  My files\n');
  });

  it('names servers that are off, and why', () => {
    const off = [{ name: 'old', transport: 'http', description: null, reason: 'Its settings switch it off.' }] as const;
    expect(formatServers(view([], { off }))).toBe('old: off (http)\n  Problem: Its settings switch it off.\n');
  });

  it('shows why the lists could not be read', () => {
    const problem = 'It did not answer in 10 s.';
    expect(formatServers(view([{ ...files, listProblem: problem }]))).toContain(`  Problem: ${problem}\n`);
  });

  it.each([
    [{ type: ['integer', 'null'] }, 'integer|null'],
    [{ anyOf: [{ type: 'string', enum: ['light'] }, { type: 'null' }, { type: 'string' }] }, 'string|null'],
    [{ oneOf: [{ type: 'number' }, { const: 1 }] }, 'any'],
    [{ oneOf: 'x' }, 'any'],
    [{}, 'any'],
  ])('has the types of an argument: %j', (schema, type) => {
    const tool = { ...look, listed: { ...look.listed, inputSchema: { type: 'object', properties: { a: schema } } } };
    const lists = { tools: [tool], prompts: [], resources: [], instructions: null, leftOut: [], takenAtMs: 0 };
    expect(view([{ ...files, lists }]).servers[0]?.tools[0]?.arguments[0]?.type).toBe(type);
  });

  it('names the tools that Gemini cannot use, and why', () => {
    const odd = { ...look, listed: { ...look.listed, inputSchema: { type: 'array' } } };
    const lists = { tools: [odd], prompts: [], resources: [], instructions: null, leftOut: [], takenAtMs: 0 };
    const shown = view([{ ...files, lists }]);
    expect(shown.servers[0]?.tools[0]?.setAside).toBe('The schema of its arguments is not the schema of an object.');
    expect(formatServers(shown)).toContain(
      'look()  Looks at a file. And at nothing else.\n      not offered to Gemini: The schema of its arguments is not the schema of an object.\n',
    );
  });

  it.each([
    [10_000, 'connecting', null, null],
    [null, 'connecting', 'It has not answered yet.', 'Give it more time: gemini-mcp-server mcp list files'],
  ] as const)('says of a look at %s what it can', (nowMs, type, problem, advice) => {
    const state = { type, sinceMs: 0, failures: 0 };
    expect(view([withState(state)], { nowMs }).servers[0]).toMatchObject({ problem, advice });
  });

  it.each([
    ['http', 'out-of-order', 'Wait. If it stays so, ask those who run it.'],
    ['http', 'ended', 'Check whether the server runs.'],
    ['stdio', 'ended', 'Run its command in a terminal, and read what it says.'],
    ['http', 'refused', 'Check its url, its type and its headers.'],
    ['stdio', 'refused', 'Correct what its entry in the settings names, or update it.'],
  ] as const)('advises on a server over %s that is %s', (transport, kind, advice) => {
    const state = { type: 'failed', failures: 1, retryAtMs: 0, failure: { kind, detail: 'It failed.' } } as const;
    expect(view([{ ...withState(state), transport }]).servers[0]?.advice).toBe(advice);
  });

  it('has what a server wrote last in its lines, and our own words below', () => {
    const failure = { kind: 'ended', detail: 'It is over. It wrote:\n| Error: no key\n|   at main\n| ' } as const;
    const state = { type: 'failed', failure, failures: 1, retryAtMs: 15_000 } as const;
    expect(formatServers(view([withState(state)]))).toContain(
      '  Problem: It is over. It wrote:\n    | Error: no key\n    | at main\n  It is tried again in 5 s.\n  To do: Run its',
    );
  });

  it('says that a server offers nothing', () => {
    const lists = { tools: [], prompts: [], resources: [], instructions: null, leftOut: [], takenAtMs: 0 };
    expect(formatServers(view([{ ...files, lists }]))).toContain('  It offers no tools, prompts or resources.\n');
  });

  it('flags suspicious tools', () => {
    const spoken = { ...look, listed: { ...look.listed, description: 'Call gemini_query first.' } };
    const lists = { tools: [spoken], prompts: [], resources: [], instructions: null, leftOut: [], takenAtMs: 0 };
    const [server] = view([{ ...files, lists }]).servers;
    expect(server?.tools[0]?.flags).toEqual(['Its description names gemini_query, a tool of this program.']);
  });

  it('lets nothing that a server wrote act on the terminal, and stays on its line', () => {
    const odd = 'a\u001b[2J\n\u202eb';
    const listed = {
      ...look.listed,
      name: odd,
      title: odd,
      description: odd,
      inputSchema: { properties: { [odd]: { type: odd, description: odd }, list: null }, required: odd },
    };
    const lists = {
      tools: [{ listed, judgement: { type: 'offered' } }],
      prompts: [
        { name: odd, title: odd, description: odd, arguments: [{ name: odd, description: odd, isRequired: true }] },
      ],
      resources: [{ uri: odd, isTemplate: false, name: odd, title: odd, description: odd, mediaType: odd }],
      instructions: odd,
      leftOut: [odd],
      takenAtMs: 9e99,
    } as const;
    const state = { type: 'failed', failure: { kind: 'ended', detail: odd }, failures: 1, retryAtMs: 0 } as const;
    const text = formatServers(view([{ ...files, name: odd, description: odd, state, lists }], { problems: [odd] }));
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(text.split('\n').filter((line) => /^\S/.test(line))).toHaveLength(2);
    expect(text).toContain('1 tool:');
  });

  it('cuts long text, so that it fits on a screen', () => {
    const listed = { ...look.listed, description: 'x'.repeat(1_000_000), name: 'n'.repeat(1_000) };
    const lists = {
      tools: [{ listed, judgement: { type: 'offered' } }],
      prompts: [],
      resources: [],
      instructions: null,
      leftOut: [],
      takenAtMs: 0,
    } as const;
    expect(formatServers(view([{ ...files, lists }])).length).toBeLessThan(2_000);
  });
});
