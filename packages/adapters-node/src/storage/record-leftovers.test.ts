import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTag } from '../disk/durable/record-names.ts';
import { createSessionPlace, filesIn, type SessionPlace, sessionId } from './testing/session-place.ts';

const signal = new AbortController().signal;

let place: SessionPlace;

beforeEach(async () => {
  place = await createSessionPlace();
});

afterEach(() => place.dispose());

/** No process has this id: the largest is 4,194,304. */
const deadTag = '999999999-1-00000000deadbeef';

describe('FileRecordStore', () => {
  it('has two files for a session, however often it was saved', async () => {
    const store = place.open();
    let version = 0;
    for (let count = 0; count < 5; count += 1) {
      expect(await store.save(place.session(), version, signal)).toMatchObject({ saved: true });
      version = await place.headVersion();
    }
    expect(await filesIn(join(await place.ownerDirectory(), sessionId))).toEqual([
      expect.stringMatching(new RegExp(`^${version}\\..+\\.json$`)),
      expect.stringMatching(new RegExp(`^head\\.${version}\\.`)),
    ]);
  });

  it('leaves nothing of a session that was deleted', async () => {
    const store = place.open();
    await store.save(place.session(), 0, signal);
    await store.delete('alice', sessionId, signal);
    expect(await filesIn(await place.ownerDirectory())).toEqual([]);
  });

  it('does not save a record that could not be read back', async () => {
    const result = await place.open().save(place.session({ updatedAtMs: Number.NaN }), 0, signal);
    expect(result).toMatchObject({ saved: false, reason: 'unavailable' });
  });

  it('stops a save on abort, and leaves the old one and nothing else', async () => {
    const store = place.open();
    await store.save(place.session(), 0, signal);
    const files = await filesIn(place.directory);
    const controller = new AbortController();
    const saving = store.save(place.session(), await place.headVersion(), controller.signal);
    controller.abort('the reason');
    await expect(saving).rejects.toBe('the reason');
    expect(await filesIn(place.directory)).toEqual(files);
  });
});

describe('FileRecordStore, after writers that were killed', () => {
  async function leave(tag: string): Promise<void> {
    const path = await place.ownerDirectory();
    const next = (await place.headVersion()) + 1;
    await mkdir(join(path, `.new-${tag}`));
    await writeFile(join(path, `.new-${tag}`, `1.${tag}.json`), '{"format"');
    await writeFile(join(path, sessionId, `${next}.${tag}.json`), '{"format"');
  }

  it('sweeps their leftovers at the first use, and keeps the session', async () => {
    await place.open().save(place.session(), 0, signal);
    await leave(deadTag);
    await mkdir(join(await place.ownerDirectory(), `.old-${deadTag}`));
    const store = place.open();
    expect(await store.list('alice', 1, signal)).toHaveLength(1);
    expect((await store.load('alice', sessionId, signal))?.session).toEqual(place.session());
    const files = await filesIn(await place.ownerDirectory());
    expect(files).toEqual([sessionId, expect.stringMatching(/\.json$/), expect.stringMatching(/\/head\./)]);
  });

  it('a writer that was only presumed dead conflicts, and destroys nothing', async () => {
    const store = place.open();
    await store.save(place.session(), 0, signal);
    const version = await place.headVersion();
    await leave(deadTag);
    await place.open().list('alice', 1, signal);
    expect(await store.save(place.session(), version, signal)).toEqual({ saved: false, reason: 'conflict' });
    expect((await store.load('alice', sessionId, signal))?.session).toEqual(place.session());
  });

  it('does not touch what a living writer is about to publish', async () => {
    await place.open().save(place.session(), 0, signal);
    const tag = createTag();
    await leave(tag);
    const before = await filesIn(await place.ownerDirectory());
    await place.open().list('alice', 1, signal);
    expect(await filesIn(await place.ownerDirectory())).toEqual(before);
  });

  it('removes superseded and late versions', async () => {
    const store = place.open();
    await store.save(place.session(), 0, signal);
    const first = await place.headVersion();
    await store.save(place.session(), first, signal);
    const path = join(await place.ownerDirectory(), sessionId);
    await writeFile(join(path, `${first}.${deadTag}.json`), '{}');
    await writeFile(join(path, `${first + 1}.${deadTag}.json`), '{}');
    await place.open().list('alice', 1, signal);
    const stored = await store.load('alice', sessionId, signal);
    expect(stored).toEqual({ session: place.session(), version: first + 1 });
    expect(await filesIn(path)).toHaveLength(2);
  });

  it('removes expired records at the first use, then hourly, and finishes an interrupted removal', async () => {
    const store = place.open({ retentionMs: 1_000 });
    await store.save(place.session(), 0, signal);
    await place.clock.advance(1_000);
    expect(await store.load('alice', sessionId, signal)).toBeNull();
    expect(await store.list('alice', 1, signal)).toEqual([]);
    expect(await filesIn(await place.ownerDirectory())).toHaveLength(3);
    await place.clock.advance(3_600_000);
    expect(await store.list('alice', 1, signal)).toEqual([]);
    expect(await filesIn(await place.ownerDirectory())).toEqual([]);

    await store.save(place.session(), 0, signal);
    const path = join(await place.ownerDirectory(), sessionId);
    const head = (await readdir(path)).find((name) => name.startsWith('head.'));
    await rename(join(path, head ?? 'no head'), join(path, 'gone'));
    expect(await store.load('alice', sessionId, signal)).toBeNull();
    expect(place.quarantined).toEqual([]);
    await place.open().list('bob', 1, signal);
    expect(await filesIn(join(path, '..'))).toEqual([]);
  });
});
