import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AgentCall, playAgent, toldToAgent } from './scripted-agent.ts';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const require = createRequire(import.meta.url);

const manifests = {
  everything: require.resolve('@modelcontextprotocol/server-everything/package.json'),
  filesystem: require.resolve('@modelcontextprotocol/server-filesystem/package.json'),
  memory: require.resolve('@modelcontextprotocol/server-memory/package.json'),
  thinking: require.resolve('@modelcontextprotocol/server-sequential-thinking/package.json'),
};

let setup: ServerSetup;
let files: string;
let settings: string;

beforeEach(async () => {
  setup = await ServerSetup.create();
  // The server takes the roots that it is told of for its directories.
  files = join(setup.project, 'files');
  settings = join(dirname(setup.project), 'servers.json');
  await mkdir(files);
  await writeFile(join(files, 'a.txt'), 'hello');
});

afterEach(() => setup.dispose());

/** A server of the registry, unmodified. */
function real(name: keyof typeof manifests, words: readonly string[] = [], more: object = {}): object {
  return { command: process.execPath, args: [join(dirname(manifests[name]), 'dist/index.js'), ...words], ...more };
}

async function configure(mcpServers: object): Promise<void> {
  await writeFile(settings, JSON.stringify({ mcpServers }), { mode: 0o600 });
}

const trusted = { trust: true };
const lent = (name: string, args: object): AgentCall => ['call_tool', { name, arguments: args }];
const png = /"mimeType":"image\/png"/;

describe.each([['api'], ['warm']] as const)('servers of the registry, lent to Gemini by %s', (runner) => {
  it('are found and called: files, memory, thoughts and pictures', async () => {
    await configure({
      files: real('filesystem', [files], trusted),
      everything: real('everything', ['stdio'], trusted),
      memory: real('memory', [], { ...trusted, env: { MEMORY_FILE_PATH: join(files, 'memory.jsonl') } }),
      thinking: real('thinking', [], trusted),
    });
    const server = await setup.start({ GEMINI_MCP_RUNNER: runner, GEMINI_MCP_SERVERS_FILE: settings });
    const thought = { thought: 'First', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
    playAgent(
      setup.api,
      [
        [['find_tools', { query: 'write a file' }]],
        [lent('files__writes_file', { path: join(files, 'package.json'), content: '{}' })],
        [lent('files__read_text_file', { path: join(files, 'a.txt') })],
        [lent('memory__creates_entities', { entities: [entity] })],
        [lent('thinking__sequentialthinking', thought)],
        [lent('everything__get-tiny-image', {})],
      ],
      'Done.',
    );
    const { text, isError } = await server.call('gemini_agent', { task: 'Try them.', mode: 'edit' });
    const told = toldToAgent(setup.api);
    expect(told.map((each) => each.split('\n', 1)[0])).toEqual([
      expect.stringMatching(/^Found \d+ of \d+ tools/),
      expect.stringMatching(/^Result of write_file of the server files/),
      expect.stringMatching(/^Result of read_text_file of the server files/),
      expect.stringMatching(/^Result of create_entities of the server memory/),
      expect.stringMatching(/^Result of sequentialthinking of the server thinking/),
      expect.stringMatching(/^Result of get-tiny-image of the server everything/),
    ]);
    expect(told[0]).toContain('files__writes_file');
    expect(told[2]).toContain('hello');
    expect(JSON.stringify(setup.api.requests.at(-1)?.contents)).toMatch(png);
    expect(await readFile(join(files, 'package.json'), 'utf8')).toBe('{}');
    expect(await readFile(join(files, 'memory.jsonl'), 'utf8')).toContain('writes programs');
    expect(isError).toBe(false);
    expect(text).toContain('Called: 5');
    expect(text).toMatch(/ - read_text_file of files \{"path":.*\}: done after/);
  });
});

/** What the user does about a question, or that their client offers none. */
type User = ((message: string) => unknown) | null;

function environment(): Record<string, string> {
  return { ...setup.environment(), GEMINI_MCP_RUNNER: 'api', GEMINI_MCP_SERVERS_FILE: settings };
}

/** A real client of MCP on the built server, over real stdio. */
async function connect(user: User): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: user === null ? {} : { elicitation: {} } });
  client.fallbackRequestHandler = async ({ params }) => {
    const { message } = ElicitRequestSchema.shape.params.parse(params);
    return JSON.parse(JSON.stringify(user?.(message)));
  };
  const env = environment();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [serverPath],
    env,
    cwd: setup.project,
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

async function textOf(client: Client, name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const told = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 });
  const { content } = CallToolResultSchema.parse(told);
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

describe('the user of a call that lends a server', () => {
  const writing = (): AgentCall => ['files__writes_file', { path: join(files, 'b.txt'), content: 'bye' }];
  let client: Client | null = null;

  afterEach(async () => {
    await client?.close();
    client = null;
  });

  it.each([
    ['gemini_query', { prompt: 'Write.' }],
    ['chat', { prompt: 'Write.' }],
    ['gemini_agent', { task: 'Write.' }],
  ])(
    'is asked by %s before a tool runs, with its arguments, trust or not, and a no keeps it from running',
    async (name, args) => {
      await configure({ files: real('filesystem', [files], trusted) });
      const asked: string[] = [];
      client = await connect((message) => {
        asked.push(message);
        return { action: 'accept', content: { choice: asked.length === 1 ? 'no' : 'once' } };
      });
      playAgent(setup.api, [[writing()]], 'Done.');
      const refused = await textOf(client, name, { ...args, servers: ['files'] });
      expect(refused).toContain('denied-by-user');
      await expect(readFile(join(files, 'b.txt'), 'utf8')).rejects.toThrow();
      playAgent(setup.api, [[writing()]], 'Done.');
      const allowed = await textOf(client, name, { ...args, servers: ['files'] });
      expect(await readFile(join(files, 'b.txt'), 'utf8')).toBe('bye');
      expect(allowed).toMatch(/(?:Called|- )\s?write_file of files/);
      expect(asked).toHaveLength(2);
      expect(asked[0]).toContain('Gemini asks to call the tool write_file of the server files with:');
      expect(asked[0]).toContain(`| {"content":"bye","path":${JSON.stringify(join(files, 'b.txt'))}}`);
    },
  );

  it('who cannot be asked is told how to allow the tool, and has done so then', async () => {
    await configure({ files: real('filesystem', [files], trusted) });
    client = await connect(null);
    playAgent(setup.api, [[writing()]], 'Done.');
    const told = await textOf(client, 'gemini_query', { prompt: 'Write.', servers: ['files'] });
    expect(toldToAgent(setup.api)[0]).toMatch(/^Refused: .*trust in the server is not enough.*approvals allow-tool/s);
    const typed = / by typing: (.*? approvals allow-tool files write_file)/.exec(told)?.[1] ?? 'false';
    await execa('sh', ['-c', typed], { env: setup.environment(), extendEnv: false, cwd: '/' });
    playAgent(setup.api, [[writing()]], 'Done.');
    await textOf(client, 'gemini_query', { prompt: 'Write.', servers: ['files'] });
    expect(await readFile(join(files, 'b.txt'), 'utf8')).toBe('bye');
  });

  it('gets nothing lent by a question that names no server', async () => {
    await configure({ files: real('filesystem', [files], trusted) });
    client = await connect(null);
    playAgent(setup.api, [], 'Done.');
    await textOf(client, 'gemini_query', { prompt: 'Write.' });
    expect(setup.api.requests.flatMap(({ functionNames }) => functionNames)).toEqual([]);
    expect(await textOf(client, 'gemini_query', { prompt: 'Write.', servers: ['fils'] })).toMatch(
      /^Not started: There is no server "fils", or it is off\. Did you mean "files"\? The servers are: "files"\./,
    );
  });
});
