import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpServerProcess } from './http-server-process.ts';
import { HttpSetup } from './http-setup.ts';
import { type PrincipalToWrite, tokenOf } from './principals.ts';

let setup: HttpSetup;
let server: HttpServerProcess;

const homeOf = (name: string): string => join(setup.root, 'homes', name);

beforeEach(async () => {
  setup = await HttpSetup.create('api');
  for (const name of ['alice', 'bob']) {
    await mkdir(homeOf(name), { recursive: true });
    await writeFile(join(homeOf(name), 'a.txt'), `of ${name}\n`);
  }
  const principals: readonly PrincipalToWrite[] = [
    { name: 'alice', roots: [homeOf('alice')] },
    { name: 'bob', roots: [homeOf('bob')] },
    { name: 'dora' },
    { name: 'erin', scopes: ['gemini:query', 'gemini:tools'], roots: [homeOf('alice')] },
  ];
  server = await setup.startFor(principals, { GEMINI_MCP_PROJECT_TOOLS: '1', GEMINI_MCP_AGENT: 'full' });
});

afterEach(() => setup.dispose());

function send(name: string, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${server.origin}${path}`, {
    method,
    headers: { Authorization: `Bearer ${tokenOf(name)}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The last line of the answer to a call. */
async function call(name: string, tool: string, args: object): Promise<Readonly<Record<string, unknown>>> {
  const response = await send(name, 'POST', '/execute', { tool, arguments: args });
  expect(response.status).toBe(200);
  return JSON.parse((await response.text()).trimEnd().split('\n').at(-1) ?? '');
}

describe('the tools over HTTP', () => {
  it('TOOLS: reach no files of others for a principal without its own roots', async () => {
    expect(await call('dora', 'list_files', {})).toMatchObject({ isDone: true });
    const path = join(homeOf('alice'), 'a.txt');
    expect(await call('dora', 'view_file', { file_path: path })).toMatchObject({ data: { code: 'outside-roots' } });
    const response = await send('dora', 'POST', '/execute', { tool: 'list_files', directory: homeOf('alice') });
    expect(await response.text()).not.toContain('a.txt');
  });

  it('TOOLS: are refused to a principal without file access', async () => {
    expect((await send('erin', 'GET', '/tools')).status).toBe(403);
    expect((await send('erin', 'POST', '/execute', { tool: 'list_files' })).status).toBe(403);
  });

  it('HOST-H1: hide other principals from a command that swaps in a link', async () => {
    await mkdir(join(homeOf('alice'), 'x', '.github'), { recursive: true });
    const swap = 'mv x y; mkdir x; ln -s ../.. x/.github';
    const command = `${swap}; cat ${join(homeOf('bob'), 'a.txt')}; ls ${join(setup.root, 'homes')}`;
    const { text } = await call('alice', 'run_command', { command });
    expect(text).toContain('Device or resource busy');
    expect(text).not.toMatch(/of bob|^bob$/m);
  });

  it("TOOLS: keep two parallel principals apart: neither sees, ends or undoes the other's run", async () => {
    const change = { file_path: 'a.txt', old_string: 'of', new_string: 'by' };
    const runs: Record<string, unknown> = {};
    for (const name of ['alice', 'bob']) {
      expect(await call(name, 'view_file', { file_path: 'a.txt' })).toMatchObject({
        isDone: true,
        text: expect.stringContaining(`of ${name}`),
      });
      const changed = await call(name, 'change_file', change);
      expect(changed).toMatchObject({ isDone: true });
      runs[name] = changed['run'];
    }
    expect(runs['alice']).not.toBe(runs['bob']);
    for (const [name, other] of [
      ['alice', 'bob'],
      ['bob', 'alice'],
    ] as const) {
      const path = join(homeOf(other), 'a.txt');
      expect(await call(name, 'view_file', { file_path: path })).toMatchObject({ data: { code: 'outside-roots' } });
      expect((await send(name, 'DELETE', `/execute/${runs[other]}`)).status).toBe(404);
    }
    expect((await send('alice', 'DELETE', `/execute/${runs['alice']}`)).status).toBe(204);
    const foreign = await send('bob', 'POST', '/api/gemini-undo', { run: runs['alice'] });
    expect(await foreign.text()).not.toContain('a.txt');
    expect(await readFile(join(homeOf('alice'), 'a.txt'), 'utf8')).toBe('by alice\n');
    expect((await send('alice', 'POST', '/api/gemini-undo', { run: runs['alice'] })).status).toBe(200);
    expect(await readFile(join(homeOf('alice'), 'a.txt'), 'utf8')).toBe('of alice\n');
    expect(await readFile(join(homeOf('bob'), 'a.txt'), 'utf8')).toBe('by bob\n');
  });
});
