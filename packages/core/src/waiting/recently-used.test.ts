import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentlyUsed } from './recently-used.ts';

describe('things that are held while they are used', () => {
  it('those go first that were used the longest ago, and those stay that may not go', () => {
    const busy = new Set(['b']);
    const gone: string[] = [];
    const things = new RecentlyUsed<string>({
      max: 3,
      mayGo: (thing) => !busy.has(thing),
      onGone: (thing) => gone.push(thing),
    });
    for (const name of ['a', 'b', 'c', 'a', 'd']) {
      things.use(name, () => name);
    }
    expect([...things.values()]).toEqual(['b', 'a', 'd']);
    things.use('e', () => 'e');
    things.use('f', () => 'f');
    expect([...things.values()]).toEqual(['b', 'e', 'f']);
    expect(gone).toEqual(['c', 'a', 'd']);
    busy.add('e').add('f');
    things.use('g', () => 'g');
    expect(things.size).toBe(4);
    busy.clear();
    things.use('h', () => 'h');
    expect([...things.values()]).toEqual(['f', 'g', 'h']);
    expect([things.peek('b'), things.peek('g')]).toEqual([undefined, 'g']);
  });

  it('are never more than the bound where all may go, and one that was just used is there', () => {
    void fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (names, max) => {
        const things = new RecentlyUsed<string>({ max });
        return names.every((name) => {
          things.use(name, () => name);
          return things.size <= max && things.peek(name) === name;
        });
      }),
    );
  });
});
