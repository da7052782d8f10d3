import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigurationError } from '@gemini-mcp/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readGuardedFile } from './read-guarded-file.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'guarded-'));
  path = join(directory, 'file');
});

afterEach(() => rm(directory, { recursive: true, force: true }));

async function write(text: string | Uint8Array, mode: number): Promise<void> {
  await writeFile(path, text);
  await chmod(path, mode);
}

const readContents = (): Promise<string | null> => readGuardedFile({ path, guarded: 'contents', maxBytes: 10 });
const readIntegrity = (): Promise<string | null> => readGuardedFile({ path, guarded: 'integrity', maxBytes: 10 });

describe('readGuardedFile', () => {
  it('reads a file up to the limit', async () => {
    await write('0123456789', 0o600);
    expect(await readContents()).toBe('0123456789');
  });

  it('returns null for a missing file', async () => {
    expect(await readContents()).toBeNull();
  });

  it('follows links, and checks their target', async () => {
    const target = join(directory, 'target');
    await writeFile(target, 'text', { mode: 0o600 });
    await symlink(target, path);
    expect(await readContents()).toBe('text');
    await chmod(target, 0o604);
    await expect(readContents()).rejects.toThrow(ConfigurationError);
  });

  it.each([0o600, 0o400, 0o700])('reads private contents with the mode %o', async (mode) => {
    await write('text', mode);
    expect(await readContents()).toBe('text');
  });

  it.each([0o640, 0o604, 0o620, 0o602, 0o644, 0o610, 0o666])('refuses secrets with the mode %o', async (mode) => {
    await write('text', mode);
    await expect(readContents()).rejects.toThrow(
      `${path}: can be read or changed by other users; run: chmod 600 ${path}`,
    );
  });

  it('lets others read a file that needs integrity only, and only the owner change it', async () => {
    await write('text', 0o644);
    expect(await readIntegrity()).toBe('text');
    for (const mode of [0o664, 0o646, 0o620, 0o602]) {
      await chmod(path, mode);
      await expect(readIntegrity()).rejects.toThrow(`${path}: can be changed by other users; run: chmod go-w ${path}`);
    }
  });

  it.runIf(process.getuid?.() === 0)('refuses a file of another user', async () => {
    await write('text', 0o600);
    await chown(path, 12_345, 12_345);
    await expect(readContents()).rejects.toThrow('belongs to another user');
    await expect(readIntegrity()).rejects.toThrow('belongs to another user');
  });

  it('refuses too many bytes, invalid UTF-8, and anything but a regular file', async () => {
    await write('0123456789x', 0o600);
    await expect(readContents()).rejects.toThrow('has 11 bytes; at most 10 are read');
    await write(Uint8Array.of(0xff, 0xfe), 0o600);
    await expect(readContents()).rejects.toThrow('is not UTF-8');
    path = directory;
    await expect(readContents()).rejects.toThrow('is not a regular file');
    path = '/dev/null';
    await expect(readContents()).rejects.toThrow('is not a regular file');
    path = join(directory, 'file', 'below');
    await expect(readContents()).rejects.toThrow('cannot be opened (ENOTDIR)');
  });

  it('does not wait for a pipe', async () => {
    await promisify(execFile)('mkfifo', [path]);
    await expect(readContents()).rejects.toThrow('is not a regular file');
  });
});
