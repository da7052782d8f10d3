import { expect } from 'vitest';
import { showValue } from '../show-value.ts';
import { idOf, listed, type SessionStoreSubject, sessionOf, signal } from './session-store-harness.ts';

/** Traps for JSON, lines, C strings, UTF-8 and XML. */
const hostile = '\u0000\u2028\u2029\r\n\t"\\\u{1f600}\u{10ffff}\ufeff\ud800\u007f</session>\u202e';

const strangeIds = ['', '.', '..', '../../x', '-r', '--session-file=/etc/passwd', 'a/b', 'a\u0000b', 'x'.repeat(5_000)];

/** The permitted content of a session, its owner and its id. */
export function describeSessionStoreText({ proof, open }: SessionStoreSubject): void {
  proof.promise('hostile texts round-trip, in every field', async () => {
    const { store, reopen } = await open();
    const session = sessionOf({
      model: hostile,
      workingDirectory: hostile,
      systemPrompt: hostile,
      turns: [
        { role: 'user', text: hostile, atMs: 1 },
        { role: 'model', text: '', atMs: 2 },
        { role: 'user', text: ` ${hostile}\n`, atMs: 2 },
      ],
    });
    expect(await store.save(session, 0, signal)).toMatchObject({ saved: true });
    expect((await reopen().load('alice', session.id, signal))?.session).toEqual(session);
    expect(await reopen().list('alice', 1, signal)).toEqual([listed(session)]);
  });

  proof.promise('null and empty fields come back unchanged', async () => {
    const { store, reopen } = await open();
    const nulls = sessionOf({ model: null, workingDirectory: null, systemPrompt: null, turns: [] });
    const empties = sessionOf({ id: idOf('a'), model: '', workingDirectory: '', systemPrompt: '' });
    for (const session of [nulls, empties]) {
      expect(await store.save(session, 0, signal)).toMatchObject({ saved: true });
      expect((await reopen().load('alice', session.id, signal))?.session).toEqual(session);
    }
  });

  proof.promise('texts of a mebibyte come back whole', async () => {
    const { store, reopen } = await open();
    const text = hostile.repeat(Math.ceil(1_048_576 / hostile.length));
    const turns = [
      { role: 'user', text, atMs: 1 },
      { role: 'model', text: `${text}.`, atMs: 2 },
    ] as const;
    const large = sessionOf({ systemPrompt: text, turns });
    expect(await store.save(large, 0, signal)).toMatchObject({ saved: true });
    const loaded = (await reopen().load('alice', large.id, signal))?.session;
    const came = [loaded?.systemPrompt, ...(loaded?.turns ?? []).map((turn) => turn.text)];
    // A difference of a mebibyte would fill the screen, so a failure shows lengths.
    expect(came.map((one) => one?.length)).toEqual([text.length, text.length, text.length + 1]);
    expect(came.map((one, index) => one === [text, text, `${text}.`][index])).toEqual([true, true, true]);
  });

  proof.promise('an owner may have any well-formed name', async () => {
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

  for (const id of strangeIds) {
    proof.promise(`an id that is not a UUID is unknown: ${showValue(id)}`, async () => {
      const { store } = await open();
      await store.save(sessionOf(), 0, signal);
      expect(await store.load('alice', id, signal)).toBeNull();
      expect(await store.delete('alice', id, signal)).toEqual({ deleted: false, reason: 'unknown' });
      expect(await store.list('alice', 10, signal)).toEqual([listed(sessionOf())]);
    });
  }
}
