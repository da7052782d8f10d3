import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readSecretFile, SettingsTextFile } from './settings-text.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'upstream-stores-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

describe('SettingsTextFile', () => {
  const path = () => join(directory, 'settings.json');
  const user = () => new SettingsTextFile({ path: path(), writer: 'user' });

  it('is the same object until the file has changed, however soon and similar', async () => {
    const file = user();
    expect(await file.read()).toEqual({ type: 'none' });
    await writeFile(path(), '{"a":1}', { mode: 0o600 });
    const first = await file.read();
    expect(first).toMatchObject({ type: 'text', text: '{"a":1}' });
    expect(await file.read()).toBe(first);
    await writeFile(path(), '{"a":2}');
    expect(await file.read()).toMatchObject({ text: '{"a":2}' });
    await rm(path());
    expect(await file.read()).toEqual({ type: 'none' });
  });

  it.runIf(process.platform !== 'win32')('is ignored if others may write it', async () => {
    await writeFile(path(), '{}');
    await chmod(path(), 0o602);
    expect(await user().read()).toMatchObject({ type: 'refused', reason: expect.stringContaining('chmod go-w') });
    expect(await new SettingsTextFile({ path: path(), writer: 'anyone' }).read()).toMatchObject({ type: 'text' });
  });

  it.runIf(process.platform === 'linux')(
    'of an administrator must be in a place that no one else may write',
    async () => {
      await writeFile(path(), '{}', { mode: 0o600 });
      const own = new SettingsTextFile({ path: path(), writer: 'administrator' });
      expect(await own.read()).toMatchObject({ type: 'refused', reason: expect.stringContaining('is ignored') });
      const system = new SettingsTextFile({ path: '/etc/passwd', writer: 'administrator' });
      expect(await system.read()).toMatchObject({ type: 'text' });
      const link = join(directory, 'link');
      await symlink('/etc/passwd', link);
      const linked = new SettingsTextFile({ path: link, writer: 'administrator' });
      expect(await linked.read()).toMatchObject({ type: 'refused' });
    },
  );

  it('a directory, and a file that is too large, are refused', async () => {
    await mkdir(path());
    expect(await user().read()).toMatchObject({ type: 'refused' });
    await rm(path(), { recursive: true });
    await writeFile(path(), 'x'.repeat(4_000_001), { mode: 0o600 });
    expect(await user().read()).toEqual({ type: 'refused', reason: 'is larger than 4000000 bytes' });
  });
});

describe('readSecretFile', () => {
  it.runIf(process.platform !== 'win32').each([0o644, 0o640, 0o602, 0o620])(
    'UPSTREAM-L3: does not read a file of the mode %o',
    async (mode) => {
      const path = join(directory, 'token');
      await writeFile(path, 's3cret');
      await chmod(path, mode);
      expect(await readSecretFile(path)).toEqual({
        read: false,
        reason: 'can be read or changed by other users. Close it with: chmod 600',
      });
    },
  );

  it('returns the content without a trailing line break, and nothing of any other file', async () => {
    const path = join(directory, 'token');
    await writeFile(path, 's3cret\r\n', { mode: 0o600 });
    expect(await readSecretFile(path)).toEqual({ read: true, text: 's3cret' });
    await writeFile(path, 'x'.repeat(65_537));
    expect(await readSecretFile(path)).toEqual({ read: false, reason: 'is larger than 65536 bytes' });
    expect(await readSecretFile(directory)).toEqual({ read: false, reason: 'is not a file' });
    expect(await readSecretFile(join(directory, 'none'))).toEqual({ read: false, reason: 'cannot be read (ENOENT)' });
    expect(await readSecretFile(join(directory, 'a\0b'))).toMatchObject({ read: false });
  });
});
