import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

let root: string;
let state: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'compiled-code-'));
  state = join(root, 'state');
  await mkdir(state, { mode: 0o700 });
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Lets a server answer once it has loaded everything, and end. Resolves to the names in the directory of compiled code. */
async function serve(variables: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const messages = [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'prompts/list' },
    { jsonrpc: '2.0', id: 3, method: 'tools/list' },
  ];
  const { stdout, status } = spawnSync(process.execPath, [serverPath], {
    env: { PATH: process.env['PATH'], HOME: root, GEMINI_MCP_STATE_DIR: state, ...variables },
    input: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
    encoding: 'utf8',
  });
  expect(stdout).toContain('"protocolVersion":"2025-11-25"');
  expect(stdout).toContain('"gemini_query"');
  expect(status).toBe(0);
  return readdir(join(state, 'compiled')).catch(() => []);
}

/** The inode of each kept file. Another inode means that the code was not there, or not used, and was written again. */
async function keptFiles(): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(join(state, 'compiled'));
  const pairs = names.map(async (name) => [name, (await stat(join(state, 'compiled', name))).ino] as const);
  return new Map(await Promise.all(pairs));
}

describe('compiled code', () => {
  it('is kept in the state directory, for the user alone, and used again', async () => {
    expect(await serve()).toHaveLength(3);
    expect((await stat(join(state, 'compiled'))).mode & 0o077).toBe(0);
    const kept = await keptFiles();
    await serve();
    expect(await keptFiles()).toEqual(kept);
  });

  it('is created again if damaged, and the server starts', async () => {
    const [name = ''] = await serve();
    const path = join(state, 'compiled', name);
    const sound = await readFile(path);
    await writeFile(path, Buffer.from(sound).fill(0, sound.length >> 1, (sound.length >> 1) + 4_096));
    const damaged = await keptFiles();
    expect(await serve()).toHaveLength(3);
    expect((await keptFiles()).get(name)).not.toBe(damaged.get(name));
  });

  it('is created again if V8 refuses its flags', async () => {
    await serve();
    const kept = await keptFiles();
    await serve({ NODE_OPTIONS: '--interpreted-frames-native-stack' });
    const others = await keptFiles();
    expect([...others.keys()]).toEqual([...kept.keys()]);
    expect(others).not.toEqual(kept);
  });

  // Tests of compiledCodeDirectory and CompiledFile cover directories that are not used.
  it('is neither kept nor used through a link', async () => {
    await mkdir(join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), join(state, 'compiled'));
    expect(await serve()).toEqual([]);
  });

  it('makes no state directory', async () => {
    await rm(state, { recursive: true });
    await serve();
    expect(await readdir(root)).toEqual([]);
  });
});

it('what a handshake waits for stays small: one import of a whole library makes each start half as long again', async () => {
  expect((await stat(join(dirname(serverPath), 'serve.cjs'))).size).toBeLessThan(240_000);
});
