import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup, token } from './http-setup.ts';

type Line = { readonly type: string } & Readonly<Record<string, unknown>>;

let setup: HttpSetup;

/** One for each mode. */
let servers: Map<string, Promise<HttpServerProcess>>;

beforeAll(async () => {
  setup = await HttpSetup.create('api');
  servers = new Map();
  await writeFile(join(setup.project, 'package.json'), '{}\n');
});

beforeEach(() => writeFile(join(setup.project, 'a.txt'), 'one\ntwo\n'));

afterAll(() => setup.dispose());

function startAnother(mode: string): Promise<HttpServerProcess> {
  const environment = { GEMINI_MCP_PROJECT_TOOLS: '1', GEMINI_MCP_AGENT: mode, GEMINI_CLI_WORKING_DIR: setup.project };
  return setup.start(environment);
}

function start(mode: string): Promise<HttpServerProcess> {
  const server = servers.get(mode) ?? startAnother(mode);
  servers.set(mode, server);
  return server;
}

const authorization = { Authorization: `Bearer ${token}` };

function execute(server: HttpServerProcess, body: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.origin}/execute`, {
    method: 'POST',
    headers: { ...authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal !== undefined && { signal }),
  });
}

async function linesOf(response: Response): Promise<readonly Line[]> {
  const text = await response.text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function call(server: HttpServerProcess, tool: string, args: object, directory?: string): Promise<Line> {
  const response = await execute(server, { tool, arguments: args, ...(directory !== undefined && { directory }) });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const [first, ...others] = await linesOf(response);
  expect(first).toEqual({ type: 'started', tool });
  const last = others.at(-1);
  expect(last?.type).toBe('result');
  return last ?? { type: 'none' };
}

async function names(server: HttpServerProcess): Promise<readonly string[]> {
  const response = await fetch(`${server.origin}/tools`, { headers: authorization });
  const { tools } = JSON.parse(await response.text());
  return tools.map(({ name }: { readonly name: string }) => name);
}

async function describedPaths(server: HttpServerProcess): Promise<readonly string[]> {
  const response = await fetch(`${server.origin}/openapi.json`, { headers: authorization });
  return Object.keys(JSON.parse(await response.text()).paths);
}

/** The ids of processes of this machine that were started with these words. */
function commandsWith(words: string): readonly string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').join(' ').trim() === words;
    } catch {
      return false;
    }
  });
}

describe('the tools over HTTP', () => {
  it('are served only if the operator allows it', async () => {
    const server = await setup.start();
    expect((await fetch(`${server.origin}/tools`, { headers: authorization })).status).toBe(404);
    expect((await execute(server, { tool: 'view_file' })).status).toBe(404);
    expect(await describedPaths(server)).not.toContain('/execute');
  });

  it('are not served without a token', async () => {
    const server = await start('plan');
    expect((await fetch(`${server.origin}/tools`)).status).toBe(401);
    expect((await fetch(`${server.origin}/execute`, { method: 'POST' })).status).toBe(401);
  });

  it('are those of the mode, each with its schema, under our names and the documented ones', async () => {
    const plan = await names(await start('plan'));
    expect(plan).toEqual(expect.arrayContaining(['view_file', 'search_files', 'read_file', 'glob', 'grep_search']));
    expect(plan).not.toContain('put_file');
    expect(plan).not.toContain('write_file');
    const server = await start('full');
    const full = await names(server);
    expect(await describedPaths(server)).toEqual(expect.arrayContaining(['/tools', '/execute', '/execute/{run}']));
    expect(full).toEqual(expect.arrayContaining(['run_command', 'run_shell_command', 'write_file', 'replace']));
  });

  it('read, change and run in the project, and undo the changes', async () => {
    const server = await start('full');
    expect(await call(server, 'view_file', { file_path: 'a.txt' })).toMatchObject({
      isDone: true,
      text: expect.stringContaining('two'),
    });
    const changed = await call(server, 'change_file', { file_path: 'a.txt', old_string: 'two', new_string: 'three' });
    expect(changed).toMatchObject({ isDone: true, run: expect.stringMatching(/^[0-9a-f]{16}$/) });
    expect(await readFile(join(setup.project, 'a.txt'), 'utf8')).toBe('one\nthree\n');
    expect(await call(server, 'run_command', { command: 'cat a.txt' })).toMatchObject({
      isDone: true,
      text: expect.stringContaining('three'),
      run: changed['run'],
    });
    const run = `${server.origin}/execute/${changed['run']}`;
    expect((await fetch(run, { method: 'DELETE', headers: authorization })).status).toBe(204);
    expect((await fetch(run, { method: 'DELETE', headers: authorization })).status).toBe(404);
    const undone = await fetch(`${server.origin}/api/gemini-undo`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({ run: changed['run'] }),
    });
    expect(undone.status).toBe(200);
    expect(await readFile(join(setup.project, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  });

  it('accept the documented names with their arguments', async () => {
    const server = await start('full');
    await mkdir(join(setup.project, 'sub'));
    const calls: readonly (readonly [string, object, string])[] = [
      ['read_file', { file_path: 'a.txt', start_line: 2, end_line: 2 }, 'two'],
      ['list_directory', { dir_path: '.' }, 'a.txt'],
      ['glob', { pattern: '*.txt' }, 'a.txt'],
      ['grep_search', { pattern: 't.o', include_pattern: '*.txt' }, 'two'],
      ['write_file', { file_path: 'sub/b.txt', content: 'new\n' }, 'sub/b.txt'],
      ['replace', { file_path: 'a.txt', old_string: 'one', new_string: 'uno', instruction: 'x' }, 'a.txt'],
      ['run_shell_command', { command: 'cat b.txt', dir_path: 'sub', description: 'x' }, 'new'],
    ];
    for (const [tool, args, expected] of calls) {
      expect(await call(server, tool, args)).toMatchObject({ isDone: true, text: expect.stringContaining(expected) });
    }
  });

  it.each([
    ['plan', 'put_file', { file_path: 'a.txt', content: 'x' }, 'not-found', 'GEMINI_MCP_AGENT'],
    ['plan', 'run_shell_command', { command: 'touch x' }, 'not-found', 'GEMINI_MCP_AGENT'],
    ['edit', 'run_command', { command: 'touch x' }, 'not-found', 'GEMINI_MCP_AGENT'],
    [
      'full',
      'run_command',
      { command: 'hostname' },
      'needs-approval',
      ' && gemini-mcp-server-http approvals allow hostname)',
    ],
    ['full', 'run_shell_command', { command: 'ls', is_background: true }, 'invalid-arguments', 'poll_command'],
    ['full', 'run_shell_command', { command: 'ls', dir_path: "a' && touch 'x" }, 'invalid-arguments', 'quotation'],
    ['full', 'run_command', { command: 'sudo id' }, 'refused-command', 'Tell the user'],
    ['full', 'view_file', { file_path: '/etc/passwd' }, 'outside-roots', ''],
    ['full', 'view_file', { file_path: '../../../../etc/passwd' }, 'outside-roots', ''],
    ['full', 'put_file', { file_path: '.git/hooks/pre-commit', content: 'x' }, 'protected', ''],
    ['full', 'no_such_tool', {}, 'not-found', ''],
    ['full', 'view_file', { path: 'a.txt' }, 'invalid-arguments', ''],
  ])('TOOLS: in mode %s, refuses %s %j', async (mode, tool, args, code, words) => {
    const refused = await call(await start(mode), tool, args);
    expect(refused).toMatchObject({ isDone: false, data: { code }, text: expect.stringContaining(words) });
  });

  it.each(['/', '/etc', '..', 'missing'])('TOOLS: refuse the directory %s', async (directory) => {
    const server = await start('full');
    expect(await call(server, 'list_files', {}, directory)).toMatchObject({ isDone: false, run: null });
  });

  it('HOST-H6: hide secrets below packages from a command', async () => {
    await mkdir(join(setup.project, 'node_modules/x'), { recursive: true });
    await writeFile(join(setup.project, 'node_modules/x/.npmrc'), 'canary');
    const server = await start('full');
    const shown = await call(server, 'run_command', { command: 'cat node_modules/x/.npmrc' });
    expect(shown['text']).toContain('Permission denied');
    expect(shown['text']).not.toContain('canary');
  });

  it('end a command when the connection is closed', async () => {
    const server = await start('full');
    const leaving = new AbortController();
    const response = await execute(
      server,
      { tool: 'run_command', arguments: { command: 'sleep 987' } },
      leaving.signal,
    );
    const reader = response.body?.getReader();
    await reader?.read();
    await expect.poll(() => commandsWith('sleep 987')).not.toEqual([]);
    leaving.abort();
    await expect.poll(() => commandsWith('sleep 987'), { timeout: 5_000 }).toEqual([]);
  });

  it.each([
    ['[]', 400],
    ['{"tool":5}', 400],
    ['{"tool":"view_file","more":1}', 400],
    ['nonsense', 400],
  ])('refuse the body %s', async (body, status) => {
    const server = await start('plan');
    const response = await fetch(`${server.origin}/execute`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json' },
      body,
    });
    expect(response.status).toBe(status);
    expect(JSON.parse(await response.text())).toMatchObject({ error: { code: expect.any(String) } });
  });

  it('HOST-M4: run no command that cannot be undone if no one can be asked', async () => {
    await writeFile(join(setup.project, 'large'), '');
    await truncate(join(setup.project, 'large'), 104_857_601);
    // Its run begins with the large file.
    const server = await startAnother('full');
    expect(await call(server, 'run_command', { command: 'touch made' })).toMatchObject({
      isDone: false,
      data: { code: 'needs-approval' },
      text: expect.stringContaining('Changes of commands cannot be undone, because there are more than 100 MiB'),
    });
    await rm(join(setup.project, 'large'));
  });

  it('run commands that the operator has allowed for good', async () => {
    await setup.spawn({ GEMINI_MCP_PORT: '0' }, ['approvals', 'allow', 'hostname']).ended;
    const server = await start('full');
    expect(await call(server, 'run_command', { command: 'hostname' })).toMatchObject({ isDone: true });
  });
});
