import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compiledCodeDirectory } from './compiled-code-directory.ts';

const onlyOnPosix = it.runIf(process.platform !== 'win32');

let root: string;
let state: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'compiled-code-directory-'));
  state = join(root, 'state');
  await mkdir(state, { mode: 0o700 });
});

afterEach(() => rm(root, { recursive: true, force: true }));

function find(environment: Readonly<Record<string, string>> = {}, args: readonly string[] = []): string | null {
  return compiledCodeDirectory({ environment: { HOME: root, GEMINI_MCP_STATE_DIR: state, ...environment }, args });
}

describe('compiledCodeDirectory', () => {
  it('is in the state directory, whether it is there yet or not', async () => {
    expect(find()).toBe(join(state, 'compiled'));
    await mkdir(join(state, 'compiled'), { mode: 0o700 });
    expect(find({}, ['--log-level', 'debug'])).toBe(join(state, 'compiled'));
  });

  it('is null without a state directory', async () => {
    await rm(state, { recursive: true });
    expect(find()).toBeNull();
    await writeFile(state, 'a file in its place');
    expect(find()).toBeNull();
    expect(find({ GEMINI_MCP_STATE_DIR: 'relative' })).toBeNull();
  });

  it('is null if switched off, or if a flag names another state directory', () => {
    expect(find({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBeNull();
    expect(find({}, ['--state-dir', '/elsewhere'])).toBeNull();
    expect(find({}, ['--state-dir=/elsewhere'])).toBeNull();
  });

  onlyOnPosix('is null if others can write', async () => {
    await chmod(state, 0o702);
    expect(find()).toBeNull();
    await chmod(state, 0o700);
    await mkdir(join(state, 'compiled'));
    await chmod(join(state, 'compiled'), 0o702);
    expect(find()).toBeNull();
  });

  onlyOnPosix('is null if others could replace the state directory', async () => {
    await chmod(root, 0o777);
    expect(find()).toBeNull();
  });

  onlyOnPosix('is null if it or the state directory is a link, or it is a file', async () => {
    await mkdir(join(root, 'elsewhere'), { mode: 0o700 });
    await symlink(join(root, 'elsewhere'), join(root, 'link'));
    expect(find({ GEMINI_MCP_STATE_DIR: join(root, 'link') })).toBeNull();
    await symlink(join(root, 'elsewhere'), join(state, 'compiled'));
    expect(find()).toBeNull();
    await rm(join(state, 'compiled'));
    await writeFile(join(state, 'compiled'), 'a file');
    expect(find()).toBeNull();
  });
});
