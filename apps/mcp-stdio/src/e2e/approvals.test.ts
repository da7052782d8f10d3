import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOrder, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const before = '{\n  "name": "sample"\n}\n';
const after = '{\n  "name": "changed"\n}\n';

/** What the user does about a question, or that their client offers none. */
type User = ((message: string, signal: AbortSignal) => unknown) | null;

let setup: ServerSetup;
let clients: Client[];

beforeEach(async () => {
  setup = await ServerSetup.create();
  clients = [];
  await writeFile(join(setup.project, 'package.json'), before);
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await setup.dispose();
});

/** A real client of MCP on the built server, over real stdio. */
async function connect(user: User, flags: readonly string[] = []): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: user === null ? {} : { elicitation: {} } });
  client.fallbackRequestHandler = async ({ params }, { signal }) => {
    const { message } = ElicitRequestSchema.shape.params.parse(params);
    // As it is: the SDK's own handler would refuse to send what is no answer.
    return JSON.parse(JSON.stringify(await user?.(message, signal)));
  };
  const environment = { ...setup.environment(), GEMINI_MCP_RUNNER: 'api' };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [serverPath, ...flags],
      env: environment,
      cwd: setup.project,
      stderr: 'ignore',
    }),
  );
  clients.push(client);
  return client;
}

const choosing = (choice: string) => (): unknown => ({ action: 'accept', content: { choice } });

async function work(client: Client, args: object = {}): Promise<string> {
  const options = { timeout: 120_000 };
  const given = { task: 'Change the name.', workingDirectory: setup.project, mode: 'full', ...args };
  const told = await client.callTool({ name: 'gemini_agent', arguments: given }, undefined, options);
  const { content } = CallToolResultSchema.parse(told);
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
}

function changing(): void {
  setup.api.reply(
    inOrder(
      toolCall('view_file', { file_path: 'package.json' }),
      toolCall('put_file', { file_path: 'package.json', content: after }),
      text('Done.'),
    ),
  );
}

function running(...commands: readonly string[]): void {
  const [first = '', ...others] = commands;
  const calls = others.map((command) => toolCall('run_command', { command }));
  setup.api.reply(inOrder(toolCall('run_command', { command: first }), ...calls, text('Done.')));
}

describe('a change that the user has to allow, asked about over stdio', () => {
  it('is made once they choose so, and shows what would change', async () => {
    const shown: string[] = [];
    const client = await connect((message) => {
      shown.push(message);
      return choosing('once')();
    });
    changing();
    const told = await work(client, { mode: 'edit' });
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(after);
    expect(told).toContain('package.json: allowed once');
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(/Gemini asks to change this file:\n\| package\.json\n[\s\S]*\| \+ {2}"name": "changed"/);
  });

  it.each([
    ['no', choosing('no')],
    ['accept with {}', (): unknown => ({ action: 'accept', content: {} })],
    ['accept without content', (): unknown => ({ action: 'accept' })],
    ['an answer that was not offered', choosing('always')],
    ['an answer for something else', (): unknown => ({ action: 'accept', content: { decision: 'once' } })],
    ['decline', (): unknown => ({ action: 'decline' })],
    ['cancel', (): unknown => ({ action: 'cancel' })],
    ['an error', (): unknown => Promise.reject(new Error('the window is gone'))],
  ])('ASK-04: is not made after %s', async (_, user) => {
    const client = await connect(user);
    changing();
    const told = await work(client, { mode: 'edit' });
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(before);
    expect(told).toMatch(/put_file package\.json: (?:denied-by-user|needs-approval)/);
  });

  it('ASK-04: is not made after an answer that comes when the run is over', async () => {
    let answerLate = (): void => undefined;
    const client = await connect(
      () =>
        new Promise((resolve) => {
          answerLate = () => resolve(choosing('once')());
        }),
    );
    changing();
    const told = await work(client, { mode: 'edit', timeout: 5 });
    answerLate();
    await client.ping();
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(before);
    expect(told).toMatch(/package\.json: (?:taken back|no answer in time)/);
  });

  it('is refused to a client that shows no questions, with what can be done', async () => {
    const client = await connect(null);
    changing();
    const told = await work(client, { mode: 'edit' });
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(before);
    expect(told).toContain('package.json: could not be asked');
    expect(told).toContain('does not offer elicitation');
  });

  it('is refused in a job, which cannot ask', async () => {
    const asked: string[] = [];
    const client = await connect((message) => {
      asked.push(message);
      return choosing('once')();
    });
    changing();
    const started = await work(client, { mode: 'edit', background: true });
    const handle = /handle "([^"]+)"/.exec(started)?.[1];
    const job = await client.callTool({ name: 'gemini_job', arguments: { handle, action: 'wait' } });
    expect(JSON.stringify(job)).toContain('A run in the background cannot ask');
    expect(asked).toEqual([]);
    expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(before);
  });
});

describe('a command that the user has to allow, asked about over stdio', () => {
  it('is allowed for the run: the next of its kind is not asked about, and the next run asks again', async () => {
    const shown: string[] = [];
    const client = await connect((message) => {
      shown.push(message);
      return choosing('run')();
    });
    running('hostname -s', 'hostname');
    const told = await work(client);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain('| hostname -s\n');
    expect(told).toContain('hostname -s: allowed for the run');
    running('hostname');
    await work(client);
    expect(shown).toHaveLength(2);
  });

  it('is allowed for good, also after a restart, until it is revoked', async () => {
    let asked = 0;
    const user = (): unknown => {
      asked += 1;
      return choosing('always')();
    };
    running('hostname');
    expect(await work(await connect(user))).toContain('hostname: allowed for good');
    running('hostname');
    expect(await work(await connect(user))).toContain('hostname: allowed for good before');
    expect(asked).toBe(1);
    const listed = await approvals('list');
    expect(listed).toContain(`hostname … in ${setup.project}, without the network`);
    await approvals('revoke', listed.split(' ')[0] ?? '');
    expect(await approvals('list')).toBe('');
    running('hostname');
    await work(await connect(user));
    expect(asked).toBe(2);
  });

  it('is refused to a client that shows no questions, with what to type: it allows the command, from any directory', async () => {
    const workingDirectory = join(setup.project, "it's here");
    await mkdir(workingDirectory);
    const client = await connect(null);
    running('hostname');
    const told = await work(client, { workingDirectory });
    const [, typed = 'false'] = / by typing: (\(cd .*? approvals allow hostname\))/.exec(told) ?? [];
    await execa('sh', ['-c', typed], { env: setup.environment(), extendEnv: false, cwd: '/' });
    running('hostname');
    expect(await work(client, { workingDirectory })).toContain('hostname: allowed for good before');
  });
});

async function approvals(...words: readonly string[]): Promise<string> {
  const options = { cwd: setup.project, env: setup.environment(), extendEnv: false, reject: false } as const;
  const { stdout } = await execa(process.execPath, [serverPath, 'approvals', ...words], options);
  return stdout;
}
