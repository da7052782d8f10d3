import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BodyAllowance, BodyBudget } from './read-body.ts';

describe('BodyBudget', () => {
  it('gives at most its size, including bytes given back', () => {
    const budget = new BodyBudget({ maxBytes: 10, maxBytesOfOwner: 10 });
    const first = budget.open('a');
    const second = budget.open('b');
    expect([first.take(6), second.take(6), second.take(4), first.take(1)]).toEqual([true, false, true, false]);
    first.release();
    first.release();
    expect(budget.takenBytes).toBe(4);
    expect(second.take(6)).toBe(true);
  });

  it('gives no owner more than its share, however many bodies it sends', () => {
    const budget = new BodyBudget({ maxBytes: 10, maxBytesOfOwner: 5 });
    const bodies = [budget.open('a'), budget.open('a')];
    expect(bodies.map((body) => body.take(3))).toEqual([true, false]);
    expect(budget.open('b').take(5)).toBe(true);
  });

  it('holds exactly the bytes that it has given', () => {
    const step = fc.record({ owner: fc.nat(2), bytes: fc.nat(40), releases: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = new BodyBudget({ maxBytes: 100, maxBytesOfOwner: 60 });
        const bodies = [0, 1, 2].map((owner) => new Body(budget.open(`${owner}`)));
        for (const { owner, bytes, releases } of steps) {
          bodies[owner]?.take(releases ? null : bytes);
          const held = bodies.map((body) => body.held);
          expect(Math.max(...held)).toBeLessThanOrEqual(60);
          expect(budget.takenBytes).toBe(held.reduce((sum, each) => sum + each, 0));
          expect(budget.takenBytes).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});

/** A body counted on its own. */
class Body {
  readonly #allowance: BodyAllowance;
  held = 0;

  constructor(allowance: BodyAllowance) {
    this.#allowance = allowance;
  }

  /** Null gives everything back. */
  take(bytes: number | null): void {
    if (bytes === null) {
      this.#allowance.release();
      this.held = 0;
    } else if (this.#allowance.take(bytes)) {
      this.held += bytes;
    }
  }
}
