import { expect, it } from 'vitest';
import { idOf, listed, type OpenSessionStore, type SessionDamage, sessionOf } from './session-store-harness.ts';

const signal = new AbortController().signal;
const damages: readonly SessionDamage[] = ['truncated', 'foreign', 'future'];

/** What becomes of a session whose record the store cannot read, and of the others. */
export function describeSessionStoreDamage(open: OpenSessionStore): void {
  it.for(damages)('a %s record is no session, and the others stay', async (damage, { skip }) => {
    const harness = await open();
    if (harness.damages === null) {
      skip('nothing else can write the records of this store');
      return;
    }
    const { store, reopen } = harness;
    const other = sessionOf({ id: idOf('a'), updatedAtMs: 500 });
    await store.save(sessionOf(), 0, signal);
    await store.save(other, 0, signal);
    await harness.damages[damage](sessionOf());
    expect(await reopen().list('alice', 10, signal)).toEqual([listed(other)]);
    expect(await reopen().load('alice', sessionOf().id, signal)).toBeNull();
    expect((await reopen().load('alice', other.id, signal))?.session).toEqual(other);
    expect(await reopen().owners(signal)).toEqual(['alice']);
  });
}
