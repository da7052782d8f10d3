import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SaveResult } from '@gemini-mcp/core';
import { describeSessionStoreContract, sessionStoreInTemporaryDirectory } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSessionStore } from './file-session-store.ts';
import { createSessionPlace, filesIn, type SessionPlace, sessionId } from './testing/session-place.ts';

describeSessionStoreContract({
  name: 'FileSessionStore',
  ...sessionStoreInTemporaryDirectory((place, directory) => new FileSessionStore({ ...place, directory }), {
    laterRecord: '{"format":99,"value":{}}',
  }),
});

const signal = new AbortController().signal;

function versionOf(saved: SaveResult): number {
  return saved.saved ? saved.version : -1;
}

let place: SessionPlace;

beforeEach(async () => {
  place = await createSessionPlace();
});

afterEach(() => place.dispose());

describe('FileSessionStore', () => {
  it('keeps everything for this user alone, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      await place.open().save(place.session(), 0, signal);
    } finally {
      process.umask(umask);
    }
    const modes = new Set<number>();
    for (const name of await filesIn(join(place.directory, 'sessions'))) {
      const stats = await stat(join(place.directory, 'sessions', name));
      modes.add(stats.isDirectory() ? stats.mode & 0o077 : stats.mode & 0o177);
    }
    expect([...modes]).toEqual([0]);
  });

  it('names nothing after the owner or what is said', async () => {
    await place
      .open()
      .save(place.session({ owner: 'alice', turns: [{ role: 'user', text: 'Hi', atMs: 1 }] }), 0, signal);
    expect((await filesIn(place.directory)).join('\n')).not.toMatch(/alice|Hi/);
  });

  it('ARGV-07: does not save under an id that is no UUID', async () => {
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
        detail: 'its id is none of ours',
      });
    }
    expect(await filesIn(place.directory)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('tells in words that it may not write, and leaves the old one', async () => {
    const store = place.open();
    const version = versionOf(await store.save(place.session(), 0, signal));
    const path = join(await place.ownerDirectory(), sessionId);
    const isRoot = process.geteuid?.() === 0;
    await chmod(path, 0o500);
    // Permissions do not hold back root, so it becomes nobody for the moment.
    if (isRoot) {
      process.seteuid?.(65_534);
    }
    const results = [await store.save(place.session(), version, signal), await store.load('alice', sessionId, signal)];
    if (isRoot) {
      process.seteuid?.(0);
    }
    await chmod(path, 0o700);
    expect(results[0]).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: 'the server cannot write to its state directory (EACCES)',
    });
    expect(results[1]).toEqual(isRoot ? null : { session: place.session(), version });
    expect(await store.load('alice', sessionId, signal)).toEqual({ session: place.session(), version });
    expect(place.quarantined).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('uses no directory that others can enter', async () => {
    await place.open().save(place.session(), 0, signal);
    await chmod(join(place.directory, 'sessions'), 0o755);
    const store = place.open();
    expect(await store.load('alice', sessionId, signal)).toBeNull();
    expect(await store.list('alice', 10, signal)).toEqual([]);
    expect(await store.save(place.session(), 1, signal)).toMatchObject({
      reason: 'unavailable',
      detail: expect.stringMatching(/can be entered by other users/),
    });
  });

  it('tells owners apart whose names are no well-formed text', async () => {
    const store = place.open();
    for (const owner of ['\ud800', '\ud801']) {
      await store.save(place.session({ owner }), 0, signal);
      expect((await store.load(owner, sessionId, signal))?.session.owner).toBe(owner);
    }
  });

  it('SHARE-08: lists from the beginnings of files, and reads none further', async () => {
    const text = 'What is said '.repeat(10_000);
    await place.open().save(place.session({ turns: [{ role: 'user', text, atMs: 1 }] }), 0, signal);
    const path = await place.contentsPath();
    const bytes = (await stat(path)).size;
    const beginning = (await readFile(path)).subarray(0, 4_096);
    await truncate(path, 0);
    await writeFile(path, beginning);
    // As long as before, and with nothing but zeros from there on: as JSON it could not be read.
    await truncate(path, bytes);
    const store = place.open();
    expect(await store.list('alice', 10, signal)).toMatchObject([{ id: sessionId, turns: 1 }]);
    expect(place.quarantined).toEqual([]);
    expect(await store.load('alice', sessionId, signal)).toBeNull();
    expect(await store.list('alice', 10, signal)).toEqual([]);
  });

  it('lists records that older versions wrote, without a summary', async () => {
    await place.open().save(place.session(), 0, signal);
    const path = await place.contentsPath();
    const now = await place.open().list('alice', 10, signal);
    await writeFile(path, JSON.stringify({ format: 1, value: place.session() }));
    expect(await place.open().list('alice', 10, signal)).toEqual(now);
    expect(await place.open().owners(signal)).toEqual(['alice']);
    expect((await place.open().load('alice', sessionId, signal))?.session).toEqual(place.session());
    expect(place.quarantined).toEqual([]);
  });

  it('writes what older versions read: a record of the same format, with more besides the value', async () => {
    await place.open().save(place.session(), 0, signal);
    const record: unknown = JSON.parse(await readFile(await place.contentsPath(), 'utf8'));
    expect(record).toMatchObject({ format: 1, value: place.session() });
  });

  it('opens only what it lists', async () => {
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

describe('FileSessionStore, with strangers in its place (LOAD-03)', () => {
  const damages: readonly (readonly [string, RegExp, (path: string) => Promise<void>])[] = [
    ['a truncated file', /not JSON/, (path) => truncate(path, 40)],
    ['an empty file', /not JSON/, (path) => truncate(path, 0)],
    ['random bytes', /not JSON/, (path) => writeFile(path, Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x7b]))],
    ['format version 99', /not of format 1/, (path) => writeFile(path, '{"format":99,"value":{}}')],
    ['JSON of something else', /not a record/, (path) => writeFile(path, '[1]')],
    ['a record of something else', /something else/, (path) => writeFile(path, '{"format":1,"value":{"id":1}}')],
    ['deep JSON', /not/, (path) => writeFile(path, '['.repeat(1_000_000))],
    ['1 GB', /1073741824 bytes/, (path) => truncate(path, 1_073_741_824)],
    ['a directory', /not a file of its own/, (path) => rm(path).then(() => mkdir(path))],
    ['nothing', /contents are missing/, (path) => rm(path)],
    [
      'a link',
      /not a file of its own/,
      (path) => rename(path, `${path}.away`).then(() => symlink(`${path}.away`, path)),
    ],
    ['a link to nowhere', /not a file of its own/, (path) => rm(path).then(() => symlink('nowhere', path))],
    [
      "another session's file",
      /another place/,
      async (path) =>
        writeFile(path, (await readFile(path, 'utf8')).replaceAll(sessionId, sessionId.replace('0f', '1f'))),
    ],
    [
      "another owner's file",
      /another place/,
      async (path) => writeFile(path, (await readFile(path, 'utf8')).replace('alice', 'bob')),
    ],
  ];

  it.each(damages)('puts aside %s', async (_, reason, damage) => {
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
  ])('puts aside %s in the place of a session', async (_, damage) => {
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
  ])('puts aside %s in the place of an owner', async (_, damage) => {
    await place.open().save(place.session(), 0, signal);
    const path = await place.ownerDirectory();
    await rename(path, `${path}.away`);
    await damage(path);
    const store = place.open();
    expect(await store.list('alice', 10, signal)).toEqual([]);
    expect(place.quarantined).toHaveLength(1);
    expect(await store.save(place.session(), 0, signal)).toMatchObject({ saved: true });
  });

  it('works among files of others, and leaves them alone', async () => {
    await place.open().save(place.session(), 0, signal);
    const path = await place.ownerDirectory();
    const foreign = [
      join(place.directory, 'sessions', 'notes.txt'),
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

  it('keeps no more than the 16 newest of what it put aside', async () => {
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
