import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SaveResult } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionPlace, filesIn, type SessionPlace, sessionId } from './testing/session-place.ts';

const signal = new AbortController().signal;

function versionOf(saved: SaveResult): number {
  return saved.saved ? saved.version : -1;
}

let place: SessionPlace;

beforeEach(async () => {
  place = await createSessionPlace();
});

afterEach(() => place.dispose());

describe('FileRecordStore', () => {
  it('keeps everything private to this user, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      await place.open().save(place.session(), 0, signal);
    } finally {
      process.umask(umask);
    }
    const modes = new Set<number>();
    for (const name of await filesIn(join(place.directory, 'records', 'sessions'))) {
      const stats = await stat(join(place.directory, 'records', 'sessions', name));
      modes.add(stats.isDirectory() ? stats.mode & 0o077 : stats.mode & 0o177);
    }
    expect([...modes]).toEqual([0]);
  });

  it('names nothing after the owner or the contents', async () => {
    await place
      .open()
      .save(place.session({ owner: 'alice', turns: [{ role: 'user', text: 'Hi', atMs: 1 }] }), 0, signal);
    expect((await filesIn(place.directory)).join('\n')).not.toMatch(/alice|Hi/);
  });

  it('ARGV-07: does not save under an id that is not a key', async () => {
    const store = place.open();
    for (const strange of [
      '../../x',
      '-r',
      '--session-file=/etc/passwd',
      sessionId.toUpperCase(),
      `${sessionId}/`,
      `${sessionId}\n`,
    ]) {
      expect(await store.save(place.session({ id: strange }), 0, signal)).toEqual({
        saved: false,
        reason: 'unavailable',
        detail: 'its id is not valid',
      });
    }
    expect(await filesIn(place.directory)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('reports that it may not write, and leaves the old one', async () => {
    const store = place.open();
    const version = versionOf(await store.save(place.session(), 0, signal));
    const path = join(await place.ownerDirectory(), sessionId);
    const isRoot = process.geteuid?.() === 0;
    await chmod(path, 0o500);
    // Permissions do not restrict root, so root gives up its rights for the moment.
    if (isRoot) {
      process.seteuid?.(65_534);
    }
    const result = await store.save(place.session(), version, signal);
    if (isRoot) {
      process.seteuid?.(0);
    }
    await chmod(path, 0o700);
    expect(result).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: 'the server cannot write to its state directory (EACCES)',
    });
    expect(await store.load('alice', sessionId, signal)).toEqual({ session: place.session(), version });
    expect(place.quarantined).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('uses no directory that others can enter', async () => {
    await place.open().save(place.session(), 0, signal);
    await chmod(join(place.directory, 'records', 'sessions'), 0o755);
    const store = place.open();
    const words = /^The stored data cannot be read: .*0700\)\.$/;
    await expect(store.load('alice', sessionId, signal)).rejects.toThrow(words);
    await expect(store.list('alice', 10, signal)).rejects.toThrow(words);
    expect(await store.save(place.session(), 1, signal)).toMatchObject({
      reason: 'unavailable',
      detail: expect.stringMatching(/can be entered by other users/),
    });
  });

  it('distinguishes owners whose names are not well-formed text', async () => {
    const store = place.open();
    for (const owner of ['\ud800', '\ud801']) {
      await store.save(place.session({ owner }), 0, signal);
      expect((await store.load(owner, sessionId, signal))?.session.owner).toBe(owner);
    }
  });

  it('SHARE-08: lists from the beginnings of files, and reads no further', async () => {
    const text = 'A long turn. '.repeat(10_000);
    await place.open().save(place.session({ turns: [{ role: 'user', text, atMs: 1 }] }), 0, signal);
    const path = await place.contentsPath();
    const bytes = (await stat(path)).size;
    const beginning = (await readFile(path)).subarray(0, 4_096);
    await truncate(path, 0);
    await writeFile(path, beginning);
    // As long as before, but zeros from there on: it could not be read as JSON.
    await truncate(path, bytes);
    const store = place.open();
    expect(await store.list('alice', 10, signal)).toMatchObject([{ id: sessionId, turns: 1 }]);
    expect(place.quarantined).toEqual([]);
    expect(await store.load('alice', sessionId, signal)).toBeNull();
    expect(await store.list('alice', 10, signal)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('reads no file that other users may write', async () => {
    await place.open().save(place.session(), 0, signal);
    await chmod(await place.contentsPath(), 0o622);
    expect(await place.open().list('alice', 10, signal)).toEqual([]);
    expect(place.quarantined).toMatchObject([{ reason: 'open to changes by other users' }]);
  });

  it('sets aside the state of earlier versions, once, and reports it', async () => {
    await mkdir(join(place.directory, 'sessions', 'owner'), { recursive: true });
    await writeFile(join(place.directory, 'sessions', 'owner', 'session.json'), 'old');
    await mkdir(join(place.directory, 'approvals'));
    await mkdir(join(place.directory, 'runs'));
    expect(await place.open().list('alice', 10, signal)).toEqual([]);
    const path = join(place.directory, `older-format-${place.clock.now()}`);
    const reason = 'an earlier version kept sessions, approvals in a format that this one does not read';
    expect(place.quarantined).toEqual([{ path, reason }]);
    expect(await readFile(join(path, 'sessions', 'owner', 'session.json'), 'utf8')).toBe('old');
    await place.open().save(place.session(), 0, signal);
    await mkdir(join(place.directory, 'sessions'));
    await place.open().save(place.session({ id: sessionId.replace('0f8', '1f8') }), 0, signal);
    expect(place.quarantined).toHaveLength(1);
    expect((await readdir(place.directory)).sort()).toEqual([
      `older-format-${place.clock.now()}`,
      'records',
      'runs',
      'sessions',
    ]);
  });

  it('opens only the records that it lists', async () => {
    const store = place.open();
    for (let count = 0; count < 5; count += 1) {
      await store.save(place.session({ id: sessionId.replace('0f8', `00${count}`), updatedAtMs: count }), 0, signal);
    }
    const [oldest] = (await readdir(await place.ownerDirectory())).sort();
    await rm(join(await place.ownerDirectory(), oldest ?? 'none'), { recursive: true });
    await writeFile(join(await place.ownerDirectory(), oldest ?? 'none'), 'unreadable');
    expect(await store.list('alice', 3, signal)).toHaveLength(3);
    expect(place.quarantined).toEqual([]);
  });
});

describe('FileRecordStore, with strangers in its place (LOAD-03)', () => {
  const other = sessionId.replace('0f', '1f');
  const edit = async (path: string, from: string, to: string): Promise<void> =>
    writeFile(path, (await readFile(path, 'utf8')).replaceAll(from, to));
  const damages: readonly (readonly [string, RegExp, (path: string) => Promise<void>])[] = [
    ['a file cut in its first line', /not a record/, (path) => truncate(path, 40)],
    ['a file cut in its text', /not as long as/, async (path) => truncate(path, (await stat(path)).size - 1)],
    ['a file with more at its end', /not as long as/, (path) => writeFile(path, '}', { flag: 'a' })],
    ['an empty file', /not a record/, (path) => truncate(path, 0)],
    ['random bytes', /not a record/, (path) => writeFile(path, Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x0a]))],
    ['format version 99', /not of format 2/, (path) => edit(path, '"format":2', '"format":99')],
    ['JSON of something else', /not a record/, (path) => writeFile(path, '[1]\n')],
    ['a text with one character changed', /not as it was written/, (path) => edit(path, '"Hi"', '"Ho"')],
    ['another summary', /not as it was written/, (path) => edit(path, '\\"turns\\":1', '\\"turns\\":2')],
    ['deep JSON', /not a record/, (path) => writeFile(path, '['.repeat(1_000_000))],
    ['1 GB', /1073741824 bytes/, (path) => truncate(path, 1_073_741_824)],
    ['a directory', /not a regular file/, (path) => rm(path).then(() => mkdir(path))],
    ['nothing', /contents are missing/, (path) => rm(path)],
    ['a link', /not a regular file/, (path) => rename(path, `${path}.away`).then(() => symlink(`${path}.away`, path))],
    ['a link to nowhere', /not a regular file/, (path) => rm(path).then(() => symlink('nowhere', path))],
    [
      "another session's file",
      /another place/,
      async (path) => {
        await place.open().save(place.session({ id: other }), 0, signal);
        await rename(await place.contentsPath(other), path);
      },
    ],
    [
      "another owner's file",
      /another place/,
      async (path) => {
        const elsewhere = await createSessionPlace();
        await elsewhere.open().save(elsewhere.session({ owner: 'bob' }), 0, signal);
        const text = await readFile(await elsewhere.contentsPath());
        await elsewhere.dispose();
        await writeFile(path, text);
      },
    ],
  ];

  it.each(damages)('sets aside %s', async (_, reason, damage) => {
    await place.open().save(place.session(), 0, signal);
    await damage(await place.contentsPath());
    const store = place.open();
    expect(await store.load('alice', sessionId, signal)).toBeNull();
    const target = join(await place.ownerDirectory(), `${sessionId}.corrupt-${place.clock.now()}`);
    expect(place.quarantined).toEqual([{ path: target, reason: expect.stringMatching(reason) }]);
    expect((await stat(target)).isDirectory()).toBe(true);
    expect(await store.list('alice', 10, signal)).toEqual([]);
    const again = await store.save(place.session(), 0, signal);
    expect(again).toEqual({ saved: true, version: expect.any(Number) });
    expect((await place.open().load('alice', sessionId, signal))?.session).toEqual(place.session());
  });

  it.each([
    ['a file', (path: string) => writeFile(path, 'x')],
    ['a link to a session', (path: string) => symlink(join(path, '..', 'elsewhere'), path)],
    ['an empty directory', (path: string) => mkdir(path)],
  ])('sets aside %s in the place of a session', async (_, damage) => {
    await place.open().save(place.session(), 0, signal);
    const path = join(await place.ownerDirectory(), sessionId);
    await rename(path, join(path, '..', 'elsewhere'));
    await damage(path);
    expect(await place.open().load('alice', sessionId, signal)).toBeNull();
    expect(place.quarantined).toHaveLength(1);
    expect(await filesIn(join(path, '..', 'elsewhere'))).toHaveLength(2);
  });

  it.each([
    ['a file', (path: string) => writeFile(path, 'x')],
    ['a link', (path: string) => symlink(`${path}.away`, path)],
  ])('sets aside %s in the place of an owner', async (_, damage) => {
    await place.open().save(place.session(), 0, signal);
    const path = await place.ownerDirectory();
    await rename(path, `${path}.away`);
    await damage(path);
    const store = place.open();
    expect(await store.list('alice', 10, signal)).toEqual([]);
    expect(place.quarantined).toHaveLength(1);
    expect(await store.save(place.session(), 0, signal)).toMatchObject({ saved: true });
  });

  it("works among other programs' files, and leaves them alone", async () => {
    await place.open().save(place.session(), 0, signal);
    const path = await place.ownerDirectory();
    const foreign = [
      join(place.directory, 'records', 'sessions', 'notes.txt'),
      join(path, '.DS_Store'),
      join(path, sessionId, 'a.txt'),
    ];
    await Promise.all(foreign.map((one) => writeFile(one, 'mine')));
    const store = place.open();
    expect(await store.list('alice', 10, signal)).toMatchObject([{ id: sessionId }]);
    const stored = await store.load('alice', sessionId, signal);
    expect(await store.save(place.session(), stored?.version ?? 0, signal)).toMatchObject({ saved: true });
    expect(await Promise.all(foreign.map((one) => readFile(one, 'utf8')))).toEqual(['mine', 'mine', 'mine']);
    expect(place.quarantined).toEqual([]);
  });

  it('keeps only the 16 newest files that it set aside', async () => {
    const store = place.open();
    for (let count = 0; count < 20; count += 1) {
      await store.save(place.session(), 0, signal);
      await truncate(await place.contentsPath(), 1);
      expect(await store.load('alice', sessionId, signal)).toBeNull();
      await place.clock.advance(1);
    }
    const left = await readdir(await place.ownerDirectory());
    const newest = Array.from({ length: 16 }, (_, index) => `${sessionId}.corrupt-${place.clock.now() - 16 + index}`);
    expect(left.sort()).toEqual(newest);
  });
});
