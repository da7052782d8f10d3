import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { describeSessionStoreContract, type SessionStoreHarness } from '@gemini-mcp/port-contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileSessionStore, type FileSessionStoreOptions } from './file-session-store.ts';
import type { Quarantined } from './quarantine.ts';
import { createTag } from './record-names.ts';

async function createHarness(options: Partial<FileSessionStoreOptions> = {}): Promise<SessionStoreHarness> {
  const directory = await mkdtemp(join(tmpdir(), 'sessions-'));
  const open = (): FileSessionStore =>
    new FileSessionStore({ directory, clock: new FakeClock(), retentionMs: null, ...options });
  return {
    store: open(),
    reopen: open,
    breakSaving: async () => {
      const sessions = join(directory, 'sessions');
      await rename(sessions, `${sessions}.away`);
      await writeFile(sessions, '');
      return async () => {
        await rm(sessions);
        await rename(`${sessions}.away`, sessions);
      };
    },
    dispose: () => rm(directory, { recursive: true }),
  };
}

describeSessionStoreContract({
  name: 'FileSessionStore',
  create: () => createHarness(),
  createForgetful: (retention) => createHarness(retention),
});

const signal = new AbortController().signal;
const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
/** No process has it: the largest one is 4,194,304. */
const deadTag = '999999999-1-00000000deadbeef';

let directory: string;
let clock: FakeClock;
let quarantined: Quarantined[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'file-sessions-'));
  clock = new FakeClock();
  quarantined = [];
});

afterEach(() => rm(directory, { recursive: true }));

function open(options: Partial<FileSessionStoreOptions> = {}): FileSessionStore {
  const onQuarantine = (one: Quarantined): number => quarantined.push(one);
  return new FileSessionStore({ directory, clock, retentionMs: null, onQuarantine, ...options });
}

function session(fields: Partial<Session> = {}): Session {
  return {
    id,
    owner: 'alice',
    model: null,
    workingDirectory: null,
    systemPrompt: null,
    createdAtMs: 1_000,
    updatedAtMs: clock.now(),
    turns: [{ role: 'user', text: 'Hi', atMs: 1_000 }],
    ...fields,
  };
}

async function ownerDirectory(): Promise<string> {
  const [owner] = await readdir(join(directory, 'sessions'));
  return join(directory, 'sessions', owner ?? 'no owner');
}

/** The paths of all files in a directory, from there. */
async function filesIn(path: string): Promise<readonly string[]> {
  return (await readdir(path, { recursive: true })).sort();
}

async function contentsPath(): Promise<string> {
  const path = join(await ownerDirectory(), id);
  const name = (await readdir(path)).find((one) => one.endsWith('.json'));
  return join(path, name ?? 'no contents');
}

describe('FileSessionStore', () => {
  it('keeps everything for this user alone, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      await open().save(session(), 0, signal);
    } finally {
      process.umask(umask);
    }
    const modes = new Set<number>();
    for (const name of await filesIn(join(directory, 'sessions'))) {
      const stats = await stat(join(directory, 'sessions', name));
      modes.add(stats.isDirectory() ? stats.mode & 0o077 : stats.mode & 0o177);
    }
    expect([...modes]).toEqual([0]);
  });

  it('names nothing after the owner or what is said', async () => {
    await open().save(session({ owner: 'alice', turns: [{ role: 'user', text: 'Hi', atMs: 1 }] }), 0, signal);
    expect((await filesIn(directory)).join('\n')).not.toMatch(/alice|Hi/);
  });

  it('has two files for a session, however often it was saved', async () => {
    const store = open();
    for (let version = 0; version < 5; version += 1) {
      expect(await store.save(session(), version, signal)).toEqual({ saved: true, version: version + 1 });
    }
    expect(await filesIn(join(await ownerDirectory(), id))).toEqual([
      expect.stringMatching(/^5\..+\.json$/),
      expect.stringMatching(/^head\.5\./),
    ]);
  });

  it('leaves nothing of a session that was deleted', async () => {
    const store = open();
    await store.save(session(), 0, signal);
    await store.delete('alice', id, signal);
    expect(await filesIn(await ownerDirectory())).toEqual([]);
  });

  it('ARGV-07: does not save under an id that is no UUID', async () => {
    const store = open();
    for (const strange of ['../../x', '-r', '--session-file=/etc/passwd', id.toUpperCase(), `${id}/`, `${id}\n`]) {
      expect(await store.save(session({ id: strange }), 0, signal)).toEqual({
        saved: false,
        reason: 'unavailable',
        detail: 'its id is none of ours',
      });
    }
    expect(await filesIn(directory)).toEqual([]);
  });

  it('does not save what could not be read back', async () => {
    const result = await open().save(session({ updatedAtMs: Number.NaN }), 0, signal);
    expect(result).toMatchObject({ saved: false, reason: 'unavailable' });
  });

  it('refuses a session over the maximum, and leaves the old one', async () => {
    const store = open({ maxSessionBytes: 2_000 });
    await store.save(session(), 0, signal);
    const large = session({ turns: [{ role: 'model', text: 'x'.repeat(2_000), atMs: 1 }] });
    expect(await store.save(large, 1, signal)).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: expect.stringMatching(/bytes, more than the 2000 that one may have/),
    });
    expect(await open().load('alice', id, signal)).toEqual({ session: session(), version: 1 });
  });

  it.skipIf(process.platform === 'win32')('tells in words that it may not write, and leaves the old one', async () => {
    const store = open();
    await store.save(session(), 0, signal);
    const path = join(await ownerDirectory(), id);
    const isRoot = process.geteuid?.() === 0;
    await chmod(path, 0o500);
    // Permissions do not hold back root, so it becomes nobody for the moment.
    if (isRoot) {
      process.seteuid?.(65_534);
    }
    const results = [await store.save(session(), 1, signal), await store.load('alice', id, signal)];
    if (isRoot) {
      process.seteuid?.(0);
    }
    await chmod(path, 0o700);
    expect(results[0]).toEqual({
      saved: false,
      reason: 'unavailable',
      detail: 'the state directory may not be written (EACCES)',
    });
    expect(results[1]).toEqual(isRoot ? null : { session: session(), version: 1 });
    expect(await store.load('alice', id, signal)).toEqual({ session: session(), version: 1 });
    expect(quarantined).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('uses no directory that others can enter', async () => {
    await open().save(session(), 0, signal);
    await chmod(join(directory, 'sessions'), 0o755);
    const store = open();
    expect(await store.load('alice', id, signal)).toBeNull();
    expect(await store.list('alice', 10, signal)).toEqual([]);
    expect(await store.save(session(), 1, signal)).toMatchObject({
      reason: 'unavailable',
      detail: expect.stringMatching(/can be entered by other users/),
    });
  });

  it('opens only what it lists', async () => {
    const store = open();
    for (let count = 0; count < 5; count += 1) {
      await store.save(session({ id: id.replace('0f8', `00${count}`), updatedAtMs: count }), 0, signal);
    }
    const [oldest] = (await readdir(await ownerDirectory())).sort();
    await rm(join(await ownerDirectory(), oldest ?? 'none'), { recursive: true });
    await writeFile(join(await ownerDirectory(), oldest ?? 'none'), 'unreadable');
    expect(await store.list('alice', 3, signal)).toHaveLength(3);
    expect(quarantined).toEqual([]);
  });

  it('stops a save on abort, and leaves the old one and nothing else', async () => {
    const store = open();
    await store.save(session(), 0, signal);
    const files = await filesIn(directory);
    const controller = new AbortController();
    const saving = store.save(session(), 1, controller.signal);
    controller.abort('the reason');
    await expect(saving).rejects.toBe('the reason');
    expect(await filesIn(directory)).toEqual(files);
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
      async (path) => writeFile(path, (await readFile(path, 'utf8')).replace(id, id.replace('0f', '1f'))),
    ],
    [
      "another owner's file",
      /another place/,
      async (path) => writeFile(path, (await readFile(path, 'utf8')).replace('alice', 'bob')),
    ],
  ];

  it.each(damages)('puts aside %s', async (_, reason, damage) => {
    await open().save(session(), 0, signal);
    await damage(await contentsPath());
    const store = open();
    expect(await store.load('alice', id, signal)).toBeNull();
    const target = join(await ownerDirectory(), `${id}.corrupt-${clock.now()}`);
    expect(quarantined).toEqual([{ path: target, reason: expect.stringMatching(reason) }]);
    expect((await stat(target)).isDirectory()).toBe(true);
    expect(await store.list('alice', 10, signal)).toEqual([]);
    expect(await store.save(session(), 0, signal)).toEqual({ saved: true, version: 1 });
    expect(await open().load('alice', id, signal)).toEqual({ session: session(), version: 1 });
  });

  it.each([
    ['a file', (path: string) => writeFile(path, 'x')],
    ['a link to a session', (path: string) => symlink(join(path, '..', 'elsewhere'), path)],
    ['an empty directory', (path: string) => mkdir(path)],
  ])('puts aside %s in the place of a session', async (_, damage) => {
    await open().save(session(), 0, signal);
    const path = join(await ownerDirectory(), id);
    await rename(path, join(path, '..', 'elsewhere'));
    await damage(path);
    expect(await open().load('alice', id, signal)).toBeNull();
    expect(quarantined).toHaveLength(1);
    expect(await filesIn(join(path, '..', 'elsewhere'))).toHaveLength(2);
  });

  it.each([
    ['a file', (path: string) => writeFile(path, 'x')],
    ['a link', (path: string) => symlink(`${path}.away`, path)],
  ])('puts aside %s in the place of an owner', async (_, damage) => {
    await open().save(session(), 0, signal);
    const path = await ownerDirectory();
    await rename(path, `${path}.away`);
    await damage(path);
    const store = open();
    expect(await store.list('alice', 10, signal)).toEqual([]);
    expect(quarantined).toHaveLength(1);
    expect(await store.save(session(), 0, signal)).toMatchObject({ saved: true });
  });

  it('goes on beside files of others, and leaves them alone', async () => {
    await open().save(session(), 0, signal);
    const path = await ownerDirectory();
    const foreign = [join(directory, 'sessions', 'notes.txt'), join(path, '.DS_Store'), join(path, id, 'a.txt')];
    await Promise.all(foreign.map((one) => writeFile(one, 'mine')));
    const store = open();
    expect(await store.list('alice', 10, signal)).toEqual([session()]);
    expect(await store.save(session(), 1, signal)).toMatchObject({ saved: true });
    expect(await Promise.all(foreign.map((one) => readFile(one, 'utf8')))).toEqual(['mine', 'mine', 'mine']);
    expect(quarantined).toEqual([]);
  });

  it('keeps no more than the 16 newest of what it put aside', async () => {
    const store = open();
    for (let count = 0; count < 20; count += 1) {
      await store.save(session(), 0, signal);
      await truncate(await contentsPath(), 1);
      expect(await store.load('alice', id, signal)).toBeNull();
      await clock.advance(1);
    }
    const left = await readdir(await ownerDirectory());
    const newest = Array.from({ length: 16 }, (_, index) => `${id}.corrupt-${clock.now() - 16 + index}`);
    expect(left.sort()).toEqual(newest);
  });
});

describe('FileSessionStore, after writers that were killed', () => {
  async function leave(tag: string): Promise<void> {
    const path = await ownerDirectory();
    await mkdir(join(path, `.new-${tag}`));
    await writeFile(join(path, `.new-${tag}`, `1.${tag}.json`), '{"format"');
    await writeFile(join(path, id, `2.${tag}.json`), '{"format"');
  }

  it('sweeps at the first use what they left, and keeps the session', async () => {
    await open().save(session(), 0, signal);
    await leave(deadTag);
    await mkdir(join(await ownerDirectory(), `.old-${deadTag}`));
    const loaded = await open().load('alice', id, signal);
    expect(loaded?.session).toEqual(session());
    const files = await filesIn(await ownerDirectory());
    expect(files).toEqual([id, expect.stringMatching(/\.json$/), expect.stringMatching(/\/head\./)]);
  });

  it('a writer that was only taken for dead conflicts, and destroys nothing', async () => {
    const store = open();
    await store.save(session(), 0, signal);
    await leave(deadTag);
    await open().list('alice', 1, signal);
    expect(await store.save(session(), 1, signal)).toEqual({ saved: false, reason: 'conflict' });
    expect((await store.load('alice', id, signal))?.session).toEqual(session());
  });

  it('does not touch what a living writer is about to publish', async () => {
    await open().save(session(), 0, signal);
    const tag = createTag();
    await leave(tag);
    const before = await filesIn(await ownerDirectory());
    await open().load('alice', id, signal);
    expect(await filesIn(await ownerDirectory())).toEqual(before);
  });

  it('removes versions that were superseded, and what came too late', async () => {
    const store = open();
    await store.save(session(), 0, signal);
    await store.save(session(), 1, signal);
    const path = join(await ownerDirectory(), id);
    await writeFile(join(path, `1.${deadTag}.json`), '{}');
    await writeFile(join(path, `2.${deadTag}.json`), '{}');
    expect(await open().load('alice', id, signal)).toEqual({ session: session(), version: 2 });
    expect(await filesIn(path)).toHaveLength(2);
  });

  it('removes what is too old at the first use, then hourly, and finishes a removal that was interrupted', async () => {
    const store = open({ retentionMs: 1_000 });
    await store.save(session(), 0, signal);
    await clock.advance(1_000);
    expect(await store.load('alice', id, signal)).toBeNull();
    expect(await filesIn(await ownerDirectory())).toHaveLength(3);
    await clock.advance(3_600_000);
    expect(await store.load('alice', id, signal)).toBeNull();
    expect(await filesIn(await ownerDirectory())).toEqual([]);

    await store.save(session(), 0, signal);
    const path = join(await ownerDirectory(), id);
    const head = (await readdir(path)).find((name) => name.startsWith('head.'));
    await rename(join(path, head ?? 'no head'), join(path, 'gone'));
    expect(await store.load('alice', id, signal)).toBeNull();
    expect(quarantined).toEqual([]);
    await open().list('bob', 1, signal);
    expect(await filesIn(join(path, '..'))).toEqual([]);
  });
});
