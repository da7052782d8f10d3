import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InMemoryKeychain } from '@gemini-mcp/port-contracts/internal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findLogin } from './find-login.ts';
import { LoginStore } from './stored-login.ts';

let home: string;
let keychain: InMemoryKeychain;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'login-'));
  keychain = new InMemoryKeychain();
});

afterEach(() => rm(home, { recursive: true, force: true }));

const open = (): LoginStore => new LoginStore({ HOME: home }, keychain);

async function plant(text: string, mode = 0o600): Promise<void> {
  await mkdir(dirname(open().path), { recursive: true, mode: 0o700 });
  await writeFile(open().path, text, { mode });
}

describe('LoginStore', () => {
  it('has nothing at first', async () => {
    expect(await open().read()).toEqual({ type: 'none' });
    expect(await open().remove()).toBeNull();
  });

  it('keeps a key in a file that only its user can read', async () => {
    expect(await open().write('file', 'key-1')).toBeNull();
    expect((await stat(open().path)).mode & 0o777).toBe(0o600);
    expect(await open().read()).toEqual({ type: 'found', place: 'file', key: 'key-1' });
    expect(await open().remove()).toBeNull();
    expect(await open().read()).toEqual({ type: 'none' });
  });

  it('keeps a key in the keychain, and none of it in the file', async () => {
    expect(await open().write('keychain', 'key-1')).toBeNull();
    expect(await readFile(open().path, 'utf8')).toBe('{"place":"keychain"}\n');
    expect(await open().read()).toEqual({ type: 'found', place: 'keychain', key: 'key-1' });
  });

  it('removes the key from the keychain with its place', async () => {
    await open().write('keychain', 'key-1');
    await open().write('file', 'key-2');
    expect(keychain.secrets.size).toBe(0);
    await open().write('keychain', 'key-3');
    expect(await open().remove()).toBeNull();
    expect(keychain.secrets.size).toBe(0);
  });

  it('stores nothing if the keychain fails', async () => {
    keychain.problem = 'It is locked.';
    expect(await open().write('keychain', 'key-1')).toBe('It is locked.');
    expect(await open().read()).toEqual({ type: 'none' });
  });

  it('stores nothing in a keychain that forgets', async () => {
    keychain.write = async () => null;
    expect(await open().write('keychain', 'key-1')).toMatch(/does not return the key/);
    expect(await open().read()).toEqual({ type: 'none' });
  });

  it('says why a key in the keychain cannot be read', async () => {
    await open().write('keychain', 'key-1');
    keychain.problem = 'It is locked.';
    expect(await open().read()).toEqual({ type: 'unreadable', problem: 'It is locked.' });
    expect(await open().remove()).toBe('It is locked.');
    keychain.problem = null;
    keychain.secrets.clear();
    expect(await open().read()).toMatchObject({ type: 'unreadable', problem: expect.stringMatching(/no longer/) });
  });

  it.each([
    '',
    '{',
    '{"place":"file"}',
    '{"place":"file","key":"a b"}',
    '{"place":"file","key":"a\\nb"}',
    '[]',
    '{"place":"cloud"}',
  ])('refuses the damaged file %j', async (text) => {
    await plant(text);
    expect(await open().read()).toMatchObject({ type: 'unreadable', problem: expect.stringMatching(/is damaged/) });
  });

  it('refuses a file that others can read', async () => {
    await plant('{"place":"file","key":"key-1"}');
    await chmod(open().path, 0o644);
    const read = await open().read();
    expect(read).toMatchObject({ type: 'unreadable', problem: expect.stringMatching(/chmod 600/) });
    expect(JSON.stringify(read)).not.toContain('key-1');
  });

  it('refuses a directory in place of the file, and a large file', async () => {
    await mkdir(open().path, { recursive: true });
    expect(await open().read()).toMatchObject({ type: 'unreadable', problem: expect.stringMatching(/not a file/) });
    await rm(open().path, { recursive: true });
    await plant(' '.repeat(20_000));
    expect(await open().read()).toMatchObject({ type: 'unreadable', problem: expect.stringMatching(/larger/) });
  });

  it('writes into no directory that others can change', async () => {
    await mkdir(dirname(open().path), { recursive: true });
    await chmod(dirname(open().path), 0o777);
    expect(await open().write('file', 'key-1')).toMatch(/can be written to by other users/);
    expect(await open().read()).toEqual({ type: 'none' });
  });

  it('keeps one whole key of two that are stored at once', async () => {
    const keys = Array.from({ length: 8 }, (_, index) => `key-${index}`);
    expect(await Promise.all(keys.map((key) => open().write('file', key)))).toEqual(keys.map(() => null));
    const read = await open().read();
    expect(keys).toContain(read.type === 'found' ? read.key : null);
  });
});

describe('findLogin', () => {
  const find = (variables: Readonly<Record<string, string>> = {}) => findLogin({ HOME: home, ...variables }, open());

  it('finds no login at first', async () => {
    expect(await find()).toEqual({ environment: { HOME: home }, source: null, problem: null });
  });

  it('gives the stored key to calls as GEMINI_API_KEY', async () => {
    await open().write('file', 'key-1');
    expect(await find()).toEqual({
      environment: { HOME: home, GEMINI_API_KEY: 'key-1' },
      source: 'file',
      problem: null,
    });
    await open().write('keychain', 'key-2');
    expect(await find()).toMatchObject({ environment: { GEMINI_API_KEY: 'key-2' }, source: 'keychain' });
  });

  it.each([
    { GEMINI_API_KEY: 'own' },
    { GOOGLE_API_KEY: 'own' },
    { GOOGLE_GENAI_USE_VERTEXAI: 'true', GOOGLE_API_KEY: 'own' },
    { GOOGLE_GENAI_USE_VERTEXAI: '1' },
    { GOOGLE_GENAI_USE_GCA: 'true' },
  ])('prefers the environment with %j', async (variables) => {
    await open().write('file', 'key-1');
    const found = await find(variables);
    expect(found).toEqual({ environment: { HOME: home, ...variables }, source: 'environment', problem: null });
  });

  it('prefers the .env of the Gemini CLI', async () => {
    await open().write('file', 'key-1');
    await mkdir(join(home, '.gemini'));
    await writeFile(join(home, '.gemini', '.env'), 'GEMINI_API_KEY=own\n');
    expect(await find()).toEqual({ environment: { HOME: home }, source: 'user-env', problem: null });
  });

  it.each([
    `\${user_config.api_key}`,
    `\${input:gemini-key}`,
    `\${env:GEMINI_API_KEY}`,
    `\${{ secrets.GEMINI_API_KEY }}`,
    '$GEMINI_API_KEY',
    '{env:GEMINI_API_KEY}',
    '%GEMINI_API_KEY%',
    '<GEMINI_API_KEY>',
    '',
    ' ',
  ])('takes %j for no key', async (value) => {
    const unset = await find({ GEMINI_API_KEY: value });
    expect(unset.source).toBeNull();
    expect(unset.environment['GEMINI_API_KEY'] ?? '').not.toMatch(/\S/);
    await open().write('file', 'key-1');
    expect(await find({ GEMINI_API_KEY: value })).toMatchObject({
      environment: { GEMINI_API_KEY: 'key-1' },
      source: 'file',
    });
  });

  it('says why a stored key is not used', async () => {
    await plant('{');
    expect(await find()).toMatchObject({ source: null, problem: expect.stringMatching(/is damaged/) });
  });
});
