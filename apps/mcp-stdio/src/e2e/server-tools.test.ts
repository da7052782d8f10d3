import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { realServer } from '@gemini-mcp/fake-gemini';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, connectClient, type User } from './connect-client.ts';
import { type AgentCall, playAgent, toldToAgent } from './scripted-agent.ts';
import { ServerSetup } from './server-setup.ts';

let setup: ServerSetup;
let files: string;
let settings: string;

beforeEach(async () => {
  setup = await ServerSetup.create();
  // The server uses its roots as its directories.
  files = join(setup.project, 'files');
  settings = join(setup.root, 'servers.json');
  await mkdir(files);
  await writeFile(join(files, 'a.txt'), 'hello');
});

afterEach(() => setup.dispose());

const trusted = { trust: true };
const upstreamCall = (name: string, args: object): AgentCall => ['call_tool', { name, arguments: args }];
const png = /"mimeType":"image\/png"/;

// What the CLI makes of model tools is tested in packages/server.
describe('servers of the registry as tools for Gemini', () => {
  it('are found and called: files, memory, thoughts and pictures', async () => {
    await setup.writeServers({
      files: { ...realServer('filesystem', files), ...trusted },
      everything: { ...realServer('everything', 'stdio'), ...trusted },
      memory: { ...realServer('memory'), ...trusted, env: { MEMORY_FILE_PATH: join(files, 'memory.jsonl') } },
      thinking: { ...realServer('sequential-thinking'), ...trusted },
    });
    const server = await setup.start({ GEMINI_MCP_RUNNER: 'api', GEMINI_MCP_SERVERS_FILE: settings });
    const thought = { thought: 'First', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    const entity = { name: 'Ada', entityType: 'person', observations: ['writes programs'] };
    playAgent(
      setup.api,
      [
        [['find_tools', { query: 'write a file' }]],
        [upstreamCall('files__writes_file', { path: join(files, 'package.json'), content: '{}' })],
        [upstreamCall('files__read_text_file', { path: join(files, 'a.txt') })],
        [upstreamCall('memory__creates_entities', { entities: [entity] })],
        [upstreamCall('thinking__sequentialthinking', thought)],
        [upstreamCall('everything__get-tiny-image', {})],
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

const connect = (user: User): Promise<Client> => connectClient(setup, user, { GEMINI_MCP_SERVERS_FILE: settings });

describe('the user of a call that names a server', () => {
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
      await setup.writeServers({ files: { ...realServer('filesystem', files), ...trusted } });
      const asked: string[] = [];
      client = await connect((message) => {
        asked.push(message);
        return { action: 'accept', content: { choice: asked.length === 1 ? 'no' : 'once' } };
      });
      playAgent(setup.api, [[writing()]], 'Done.');
      const refused = await callTool(client, name, { ...args, servers: ['files'] });
      expect(refused).toMatch(/denied-by-user|needs-approval/);
      await expect(readFile(join(files, 'b.txt'), 'utf8')).rejects.toThrow();
      playAgent(setup.api, [[writing()]], 'Done.');
      const allowed = await callTool(client, name, { ...args, servers: ['files'] });
      expect(await readFile(join(files, 'b.txt'), 'utf8')).toBe('bye');
      expect(allowed).toMatch(/(?:Called|- )\s?write_file of files/);
      expect(asked).toHaveLength(2);
      expect(asked[0]).toContain('Gemini asks to call the tool write_file of the server files\n');
      expect(asked[0]).toContain(`| {"content":"bye","path":${JSON.stringify(join(files, 'b.txt'))}}`);
    },
  );

  it('a client without questions gets the command that allows the tool, and it works', async () => {
    await setup.writeServers({ files: { ...realServer('filesystem', files), ...trusted } });
    client = await connect(null);
    playAgent(setup.api, [[writing()]], 'Done.');
    const told = await callTool(client, 'gemini_query', { prompt: 'Write.', servers: ['files'] });
    expect(toldToAgent(setup.api)[0]).toMatch(/^Refused: .*trust in the server is not enough.*approvals allow-tool/s);
    const typed = / by typing: (.*? approvals allow-tool files write_file)/.exec(told)?.[1] ?? 'false';
    await execa('sh', ['-c', typed], { env: setup.environment(), extendEnv: false, cwd: '/' });
    playAgent(setup.api, [[writing()]], 'Done.');
    await callTool(client, 'gemini_query', { prompt: 'Write.', servers: ['files'] });
    expect(await readFile(join(files, 'b.txt'), 'utf8')).toBe('bye');
  });

  it('gets no upstream tools for a question that names no server', async () => {
    await setup.writeServers({ files: { ...realServer('filesystem', files), ...trusted } });
    client = await connect(null);
    playAgent(setup.api, [], 'Done.');
    await callTool(client, 'gemini_query', { prompt: 'Write.' });
    expect(setup.api.requests.flatMap(({ functionNames }) => functionNames)).toEqual([]);
    expect(await callTool(client, 'gemini_query', { prompt: 'Write.', servers: ['fils'] })).toMatch(
      /^Not started: No enabled server is named "fils"\. Did you mean "files"\? The servers are: "files"\./,
    );
  });
});
