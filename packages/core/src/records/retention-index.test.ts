import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RetentionEntry, RetentionIndex } from './retention-index.ts';

const bounds = { maxRecordsOfOwner: 4, maxBytesOfOwner: 100, maxBytes: 200 };

/** Saves records one after the other, and returns the remaining ones and the cost of each save. */
function keep(entries: readonly RetentionEntry[]): {
  readonly left: readonly RetentionEntry[];
  readonly losses: readonly (readonly RetentionEntry[])[];
} {
  const ledger = new RetentionIndex(bounds);
  let left: readonly RetentionEntry[] = [];
  const losses = entries.map((entry) => {
    ledger.put(entry);
    const lost = ledger.takeSurplus(entry);
    const others = left.filter(({ owner, key }) => owner !== entry.owner || key !== entry.key);
    left = [...others, entry].filter((one) => !lost.includes(one));
    return lost;
  });
  return { left, losses };
}

function entry(owner: string, key: string, bytes: number, stampMs = Number(key)): RetentionEntry {
  return { owner, key, bytes, stampMs };
}

describe('RetentionIndex', () => {
  it.each<[string, readonly RetentionEntry[], readonly string[]]>([
    ['nothing within the bounds', [entry('a', '1', 50), entry('a', '2', 50)], ['a1', 'a2']],
    [
      'the oldest beyond the bytes of an owner',
      [entry('a', '1', 50), entry('a', '2', 50), entry('a', '3', 1)],
      ['a2', 'a3'],
    ],
    [
      'the oldest beyond the number of an owner',
      ['1', '2', '3', '4', '5'].map((key) => entry('a', key, 1)),
      ['a2', 'a3', 'a4', 'a5'],
    ],
    [
      'the least recently updated record',
      [entry('a', '1', 50, 9), entry('a', '2', 50), entry('a', '3', 1)],
      ['a1', 'a3'],
    ],
    ['nothing twice for a record that is saved again', [entry('a', '1', 90), entry('a', '1', 95)], ['a1']],
    ['not the saved record, however old it is', [entry('a', '1', 60), entry('a', '2', 60, 0)], ['a2']],
    [
      'of the owner with the most, when all owners together have too much',
      [entry('b', '1', 10), entry('a', '2', 50), entry('a', '3', 50), entry('c', '4', 60), entry('d', '5', 40)],
      ['b1', 'a3', 'c4', 'd5'],
    ],
  ])('removes %s', (_, entries, left) => {
    expect(keep(entries).left.map(({ owner, key }) => `${owner}${key}`)).toEqual(left);
  });

  it('SHARE-05: makes room for a large record without looking at all owners again for each record that goes', () => {
    // So many that a look at all owners for each record would take minutes, and the limit of a test ends it.
    const owners = 40_000;
    const ledger = new RetentionIndex({ maxRecordsOfOwner: 10, maxBytesOfOwner: owners, maxBytes: owners });
    for (let index = 0; index < owners; index += 1) {
      ledger.put(entry(`owner-${index}`, '1', 1, index));
    }
    const large = entry('saver', '1', owners / 2);
    ledger.put(large);
    // The saver itself has the most, but its new record stays. The others are all of one size.
    expect(ledger.takeSurplus(large)).toHaveLength(owners / 2);
  });

  it('forgets removed records', () => {
    const ledger = new RetentionIndex(bounds);
    ledger.put(entry('a', '1', 90));
    ledger.drop({ owner: 'a', key: '1' });
    ledger.drop({ owner: 'a', key: 'unknown' });
    ledger.put(entry('a', '2', 90));
    expect(ledger.takeSurplus({ owner: 'a', key: '2' })).toEqual([]);
  });
});

const anyEntry = fc.record({
  owner: fc.constantFrom('a', 'b', 'c'),
  key: fc.constantFrom('1', '2', '3', '4', '5', '6'),
  bytes: fc.nat(100),
  stampMs: fc.nat(20),
});
const bytesOf = (entries: readonly RetentionEntry[]): number => entries.reduce((sum, { bytes }) => sum + bytes, 0);

describe('RetentionIndex, whatever is saved', () => {
  it('SHARE-05: keeps every bound, and the last saved record', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 40 }), (entries) => {
        const { left } = keep(entries);
        expect(bytesOf(left)).toBeLessThanOrEqual(200);
        for (const name of ['a', 'b', 'c']) {
          const own = left.filter(({ owner }) => owner === name);
          expect(own.length).toBeLessThanOrEqual(4);
          expect(bytesOf(own)).toBeLessThanOrEqual(100);
        }
        expect(left.at(-1)).toEqual(entries.at(-1));
      }),
    );
  });

  it('SHARE-05: takes nothing from an owner that has no more than its part, for what another saves', () => {
    const small = anyEntry.map((one) => ({ ...one, bytes: one.bytes % 21 }));
    fc.assert(
      fc.property(fc.array(small, { minLength: 1, maxLength: 40 }), (entries) => {
        for (let count = 1; count <= entries.length; count += 1) {
          const before = keep(entries.slice(0, count - 1)).left;
          const saved = entries[count - 1];
          const lost = keep(entries.slice(0, count)).losses.at(-1) ?? [];
          for (const name of lost.map(({ owner }) => owner).filter((owner) => owner !== saved?.owner)) {
            expect(bytesOf(before.filter(({ owner }) => owner === name))).toBeGreaterThan((200 - 20) / 3);
          }
        }
      }),
    );
  });
});
