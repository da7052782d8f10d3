/** Whole numbers from 0 up to and without `below`, the same ones for the same seed. */
export type PickNumber = (below: number) => number;

/** Mulberry32. */
export function createPickNumber(seed: number): PickNumber {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function pickOne<Item>(pick: PickNumber, items: readonly [Item, ...Item[]]): Item {
  return items[pick(items.length)] ?? items[0];
}
