import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inOrder, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, connectClient, type User } from './connect-client.ts';
import { serverPath } from './server-process.ts';
import { ServerSetup } from './server-setup.ts';

const before = '{\n  "name": "sample"\n}\n';
const after = '{\n  "name": "changed"\n}\n';

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

async function connect(user: User): Promise<Client> {
  const client = await connectClient(setup, user);
  clients.push(client);
  return client;
}

const choosing = (choice: string) => (): unknown => ({ action: 'accept', content: { choice } });

function work(client: Client, args: object = {}): Promise<string> {
  const given = { task: 'Change the name.', workingDirectory: setup.project, mode: 'full', ...args };
  return callTool(client, 'gemini_agent', given);
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
    expect(shown[0]).toMatch(
      /^Gemini asks to change package\.json: 1 line added, 1 removed\n[\s\S]*\| \+ {2}"name": "changed"/,
    );
  });

  it('ASK-04: is not executed after a no, after an invalid answer, or after one that was not offered', async () => {
    const answers: readonly (() => unknown)[] = [
      choosing('no'),
      () => ({ action: 'accept', content: {} }),
      () => ({ action: 'accept' }),
      choosing('always'),
      () => ({ action: 'accept', content: { decision: 'once' } }),
      () => ({ action: 'decline' }),
      () => ({ action: 'cancel' }),
      () => Promise.reject(new Error('the window is gone')),
    ];
    let answer: (() => unknown) | undefined;
    const client = await connect(() => answer?.());
    for (answer of answers) {
      changing();
      const told = await work(client, { mode: 'edit' });
      expect(await readFile(join(setup.project, 'package.json'), 'utf8')).toBe(before);
      expect(told).toMatch(/put_file package\.json: (?:denied-by-user|needs-approval)/);
    }
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
