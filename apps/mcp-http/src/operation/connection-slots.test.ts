import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionSlots } from './connection-slots.ts';

type Connection = { readonly name: string };

const named = (name: string): Connection => ({ name });

/** Slots that strangers of these addresses have all taken, the oldest first. */
function fullOf(addresses: readonly string[]): {
  readonly places: ConnectionSlots<Connection>;
  readonly held: readonly Connection[];
} {
  const places = new ConnectionSlots<Connection>({ maxConnections: addresses.length });
  const held = addresses.map((address, index) => named(`${address}${index}`));
  for (const [index, connection] of held.entries()) {
    places.admit(connection, addresses[index] ?? '');
  }
  return { places, held };
}

describe('ACCESS-01: ConnectionSlots, when all slots are taken', () => {
  it.each([
    ['the oldest stranger of the address with most', ['a', 'b', 'b', 'a', 'b'], 'c', 'b1'],
    ['the oldest stranger of all if each address has one', ['a', 'b', 'c'], 'd', 'a0'],
    ['its own address if that would have most', ['a', 'b', 'b', 'a'], 'b', 'b1'],
    ['the oldest of all if all share one address, as through a proxy', ['a', 'a', 'a'], 'a', 'a0'],
  ])('a new connection displaces %s', (_, addresses, address, displaced) => {
    const { places } = fullOf(addresses);
    expect(places.admit(named('new'), address)).toEqual({ type: 'admitted', displaced: { name: displaced } });
  });

  it('a stranger yields even during a request, and a connection with a valid token does not', () => {
    const { places, held } = fullOf(['a', 'a', 'a']);
    const [first, second] = held;
    places.noteOwner(first ?? named(''), 'alice');
    places.begin(second ?? named(''));
    expect(places.admit(named('new'), 'a')).toMatchObject({ displaced: { name: 'a1' } });
  });

  it('an owner with more than an equal share loses its longest idle connection, and no owner loses one in use', () => {
    const { places, held } = fullOf(['a', 'a', 'a', 'a']);
    for (const [index, connection] of held.entries()) {
      places.noteOwner(connection, index === 0 ? 'bob' : 'alice');
      places.begin(connection);
    }
    expect(places.admit(named('new'), 'z')).toEqual({ type: 'refused' });
    for (const index of [0, 3, 2]) {
      places.end(held[index] ?? named(''));
    }
    expect(places.admit(named('new'), 'z')).toMatchObject({ displaced: { name: 'a3' } });
  });

  it('owners with equal shares keep their connections', () => {
    const { places, held } = fullOf(['a', 'a', 'a', 'a']);
    for (const [index, connection] of held.entries()) {
      places.noteOwner(connection, `owner ${index}`);
    }
    expect(places.admit(named('new'), 'z')).toEqual({ type: 'refused' });
  });

  it('a closed connection frees its slot, once, and later events of it do not count', () => {
    const { places, held } = fullOf(['a', 'a']);
    const [first = named('')] = held;
    places.release(first);
    places.release(first);
    places.noteOwner(first, 'alice');
    places.begin(first);
    expect(places.admit(named('new'), 'a')).toEqual({ type: 'admitted', displaced: null });
    expect(places.admit(named('newer'), 'a')).toMatchObject({ displaced: { name: 'a1' } });
  });

  it('a connection in use with a valid token keeps its slot, whatever strangers do', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 }), (addresses) => {
        const places = new ConnectionSlots<Connection>({ maxConnections: 5 });
        const own = named('own');
        places.admit(own, 'a');
        places.noteOwner(own, 'alice');
        places.begin(own);
        const held = new Set<Connection>([own]);
        for (const [index, address] of addresses.entries()) {
          const connection = named(`${index}`);
          const admission = places.admit(connection, address);
          expect(admission.type).toBe('admitted');
          if (admission.type === 'admitted' && admission.displaced !== null) {
            held.delete(admission.displaced);
          }
          held.add(connection);
          expect(held.has(own)).toBe(true);
          expect(held.size).toBeLessThanOrEqual(5);
        }
      }),
    );
  });
});
