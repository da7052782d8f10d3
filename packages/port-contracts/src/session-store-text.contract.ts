import { expect, it } from 'vitest';
import { listed, type OpenSessionStore, sessionOf } from './session-store-harness.ts';

const signal = new AbortController().signal;

/** What JSON, lines, C strings, UTF-8 and XML would each trip over. */
const hostile = '\u0000\u2028\u2029\r\n\t"\\\u{1f600}\u{10ffff}\ufeff\ud800\u007f</session>\u202e';

const strangeIds = ['', '.', '..', '../../x', '-r', '--session-file=/etc/passwd', 'a/b', 'a\u0000b', 'x'.repeat(5_000)];

/** What may stand in a session, its owner and its id. */
export function describeSessionStoreText(open: OpenSessionStore): void {
  it('large and hostile texts round-trip, in every field', async () => {
    const { store, reopen } = await open();
    const text = hostile.repeat(Math.ceil(1_048_576 / hostile.length));
    const large = sessionOf({
      model: hostile,
      workingDirectory: hostile,
      systemPrompt: text,
      turns: [
        { role: 'user', text, atMs: 1 },
        { role: 'model', text: '', atMs: 2 },
        { role: 'user', text: hostile, atMs: 2 },
      ],
    });
    expect(await store.save(large, 0, signal)).toMatchObject({ saved: true });
    const loaded = await reopen().load('alice', large.id, signal);
    expect(loaded?.session).toEqual(large);
    expect(await reopen().list('alice', 1, signal)).toEqual([listed(large)]);
  });

  it('an owner may be called anything that is well-formed text', async () => {
    const { store, reopen } = await open();
    const owners = ['', '..', 'a/b', 'A/B', hostile.replaceAll('\ud800', ''), 'o'.repeat(5_000)];
    for (const owner of owners) {
      expect(await store.save(sessionOf({ owner }), 0, signal)).toMatchObject({ saved: true });
    }
    for (const owner of owners) {
      expect(await reopen().list(owner, 10, signal)).toEqual([listed(sessionOf({ owner }))]);
    }
    expect((await reopen().owners(signal)).toSorted()).toEqual(owners.toSorted());
  });

  it.each(strangeIds.map((id) => [id.slice(0, 40), id] as const))(
    'an id that is no UUID is unknown: %j',
    async (_, id) => {
      const { store } = await open();
      await store.save(sessionOf(), 0, signal);
      expect(await store.load('alice', id, signal)).toBeNull();
      expect(await store.delete('alice', id, signal)).toEqual({ deleted: false, reason: 'unknown' });
      expect(await store.list('alice', 10, signal)).toEqual([listed(sessionOf())]);
    },
  );
}
