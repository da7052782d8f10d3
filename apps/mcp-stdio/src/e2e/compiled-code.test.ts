import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import nodeModule from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverPath } from './server-process.ts';

/** From Node 22.1 on. */
const keepsCompiledCode = 'enableCompileCache' in nodeModule;

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

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** Starts a server, lets it answer and end. Resolves to the names in the directory of compiled code. */
async function serve(args: readonly string[] = []): Promise<readonly string[]> {
  const { stdout, status } = spawnSync(process.execPath, [serverPath, ...args], {
    env: { PATH: process.env['PATH'], HOME: root, GEMINI_MCP_STATE_DIR: state },
    input: `${JSON.stringify(initialize)}\n`,
    encoding: 'utf8',
  });
  expect(stdout).toContain('"protocolVersion":"2025-11-25"');
  expect(status).toBe(0);
  return readdir(join(state, 'compiled')).catch(() => []);
}

describe.runIf(keepsCompiledCode)('compiled code', () => {
  it('is kept in the state directory, for the user alone, and used again', async () => {
    const kept = await serve();
    expect(kept).toHaveLength(1);
    expect((await stat(join(state, 'compiled'))).mode & 0o077).toBe(0);
    expect(await serve()).toEqual(kept);
  });

  it('is thrown away when too much of it has gathered', async () => {
    const old = join(state, 'compiled', 'v22.1.0-of-long-ago');
    for (let index = 0; index < 45; index += 1) {
      await mkdir(join(old, String(index)), { recursive: true, mode: 0o700 });
    }
    expect(await serve()).not.toContain('v22.1.0-of-long-ago');
  });

  it('is neither kept nor used where others may write', async () => {
    await chmod(state, 0o777);
    expect(await serve()).toEqual([]);
  });

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

it('a server starts whether or not its Node keeps compiled code', async () => {
  expect((await serve()).length).toBe(keepsCompiledCode ? 1 : 0);
});

it('what a handshake waits for stays small: one import of a whole library makes each start half as long again', async () => {
  expect((await stat(join(dirname(serverPath), 'serve.cjs'))).size).toBeLessThan(220_000);
});
