import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallQueue, type QueueTicket } from './call-queue.ts';

/** A ticket that knows whether it was admitted. */
type Held = { readonly owner: string; readonly ticket: QueueTicket; isAdmitted: boolean };

/** A queue whose calls are watched: who runs, and who waits. */
class Watched {
  readonly queue: CallQueue;
  readonly held: Held[] = [];
  /** In their order. */
  readonly admitted: Held[] = [];

  constructor(maxRunning: number, maxQueued: number, hasSeveralOwners = false) {
    this.queue = new CallQueue({ maxRunning, maxQueued, hasSeveralOwners });
  }

  enter(owner: string): Held | null {
    const ticket = this.queue.enter(owner);
    if (ticket === null) {
      return null;
    }
    const held = { owner, ticket, isAdmitted: false };
    this.held.push(held);
    const admit = (): void => {
      held.isAdmitted = true;
      this.admitted.push(held);
    };
    void ticket.admitted.then(admit);
    return held;
  }

  async leave(held: Held): Promise<void> {
    this.held.splice(this.held.indexOf(held), 1);
    held.ticket.leave();
    await turn();
  }

  get running(): readonly Held[] {
    return this.held.filter(({ isAdmitted }) => isAdmitted);
  }

  get waiting(): readonly Held[] {
    return this.held.filter(({ isAdmitted }) => !isAdmitted);
  }

  /** Ends the running calls one by one; returns how many ended. */
  async finishAll(): Promise<number> {
    await turn();
    let ended = 0;
    for (let [first] = this.running; first !== undefined; [first] = this.running) {
      await this.leave(first);
      ended += 1;
    }
    return ended;
  }
}

/** Lets the continuations of promises that have settled run. */
async function turn(): Promise<void> {
  await Promise.resolve();
  await Promise.resolve();
}

function enterMany(watched: Watched, owners: readonly string[]): readonly (Held | null)[] {
  return owners.map((owner) => watched.enter(owner));
}

describe('CallQueue', () => {
  it('admits at once while there is room, lets the next wait, and turns away the rest', async () => {
    const watched = new Watched(1, 1);
    const tickets = enterMany(watched, ['a', 'a', 'a']);
    await turn();
    expect(tickets.map((held) => held && [held.ticket.mustWait, held.isAdmitted])).toEqual([
      [false, true],
      [true, false],
      null,
    ]);
    expect(watched.queue.load).toEqual({ running: 1, queued: 1 });
  });

  it('lets no call wait without waiting slots', () => {
    const queue = new CallQueue({ maxRunning: 1, maxQueued: 0 });
    expect(queue.enter('a')).not.toBeNull();
    expect(queue.enter('b')).toBeNull();
  });

  it.each([
    ['one client', 1, { running: 4, queued: 32 }],
    ['two clients', 2, { running: 4, queued: 32 }],
    ['seven clients', 7, { running: 4, queued: 32 }],
  ])(
    'LOAD: of 1,000 concurrent calls from %s 4 run, 32 wait, the rest are turned away, and no call is lost',
    async (_, clients, load) => {
      const watched = new Watched(4, 32);
      const tickets = enterMany(
        watched,
        Array.from({ length: 1_000 }, (__, index) => `client ${index % clients}`),
      );
      await turn();
      expect(watched.queue.load).toEqual(load);
      expect(tickets.filter((held) => held === null).length).toBe(964);
      expect(await watched.finishAll()).toBe(36);
      expect(watched.queue.load).toEqual({ running: 0, queued: 0 });
    },
  );

  it('gives turns to owners, not to calls', async () => {
    const watched = new Watched(1, 9);
    enterMany(watched, ['a', 'a', 'a', 'a', 'b', 'b', 'c']);
    await turn();
    await watched.finishAll();
    expect(watched.admitted.map(({ owner }) => owner)).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
  });

  it.each<[string, readonly string[], number]>([
    ['no call, when it runs at once', [], 0],
    ['no call, when it is the first to wait', ['z'], 0],
    ['all of its own', ['z', 'a', 'a'], 2],
    ['one of each owner that was there first', ['z', 'b', 'b', 'b', 'c'], 2],
    ['as many turns of another as it has itself before', ['z', 'a', 'b', 'b', 'b'], 2],
    ['no more of another than there are', ['z', 'b', 'a', 'a', 'a'], 4],
  ])('says that there is ahead of a call: %s', (_, before, ahead) => {
    const watched = new Watched(1, 20);
    enterMany(watched, before);
    expect(watched.enter('a')?.ticket.ahead).toBe(ahead);
  });

  it('gives a slot back once, however often it is asked to', async () => {
    const watched = new Watched(1, 5);
    const [running, waiting] = enterMany(watched, ['a', 'a', 'a', 'a']);
    waiting?.ticket.leave();
    waiting?.ticket.leave();
    expect(watched.queue.load).toEqual({ running: 1, queued: 2 });
    running?.ticket.leave();
    running?.ticket.leave();
    expect(watched.queue.load).toEqual({ running: 1, queued: 1 });
    await turn();
    expect(waiting?.isAdmitted).toBe(false);
  });

  it('takes a call that leaves between its admission and the hearing of it for one that ran', () => {
    const watched = new Watched(1, 5);
    const [running, next] = enterMany(watched, ['a', 'a', 'a']);
    running?.ticket.leave();
    next?.ticket.leave();
    expect(watched.queue.load).toEqual({ running: 1, queued: 0 });
  });
});

describe('CallQueue estimates when refused calls may return', () => {
  it.each<[string, { maxRunning: number; ran?: readonly number[]; waiting: readonly string[] }, number]>([
    ['by what a call commonly takes, until one has ended', { maxRunning: 4, waiting: ['a'] }, 5_000],
    ['by how long calls took', { maxRunning: 1, ran: [10_000], waiting: ['a'] }, 18_000],
    ['by how many owners take turns', { maxRunning: 4, waiting: ['a', 'b', 'b', 'c'] }, 15_000],
    ['after a second at least', { maxRunning: 4, ran: Array(40).fill(3), waiting: ['a'] }, 1_000],
    ['after a minute at most', { maxRunning: 1, ran: Array(40).fill(600_000), waiting: ['a', 'b'] }, 60_000],
  ])('%s', (_, { maxRunning, ran = [], waiting }, retryAfterMs) => {
    const queue = new CallQueue({ maxRunning, maxQueued: waiting.length });
    for (const ranForMs of ran) {
      queue.enter('a')?.leave(ranForMs);
    }
    for (const owner of [...Array(maxRunning).fill('z'), ...waiting]) {
      queue.enter(owner);
    }
    expect(queue.enter('y')).toBeNull();
    expect(queue.retryAfterMs('y')).toBe(retryAfterMs);
  });

  it('and learns nothing from a call that only waited', () => {
    const queue = new CallQueue({ maxRunning: 1, maxQueued: 1 });
    queue.enter('a');
    queue.enter('a')?.leave(1);
    expect(queue.retryAfterMs('b')).toBe(20_000);
  });
});

describe('CallQueue shares out its places where several owners may come', () => {
  it('SHARE-01: runs a newcomer at once, however many calls another owner sends', async () => {
    const watched = new Watched(4, 32, true);
    enterMany(watched, Array(1_000).fill('hostile'));
    expect(watched.queue.load).toEqual({ running: 2, queued: 21 });
    expect(enterMany(watched, ['b', 'b']).map((held) => held?.ticket.mustWait)).toEqual([false, false]);
    expect(enterMany(watched, Array(12).fill('b')).filter((held) => held !== null).length).toBe(11);
  });

  it('gives all slots to a single owner', () => {
    const watched = new Watched(4, 32);
    expect(enterMany(watched, Array(1_000).fill('a')).filter((held) => held !== null).length).toBe(36);
    expect(watched.queue.load).toEqual({ running: 4, queued: 32 });
  });

  it('passes over an owner at its share, and admits it when one of its own calls has ended', async () => {
    const watched = new Watched(4, 8, true);
    const [first] = enterMany(watched, ['a', 'a', 'a', 'b']);
    const other = watched.enter('b');
    await turn();
    await (other && watched.leave(other));
    expect(watched.running.map(({ owner }) => owner)).toEqual(['a', 'a', 'b']);
    await (first && watched.leave(first));
    expect(watched.running.map(({ owner }) => owner)).toEqual(['a', 'a', 'b']);
    expect(watched.queue.load).toEqual({ running: 3, queued: 0 });
  });

  it('sends an owner at its share away until one of its own calls may have ended', () => {
    const queue = new CallQueue({ maxRunning: 4, maxQueued: 3, hasSeveralOwners: true });
    for (const owner of ['a', 'a', 'a', 'a']) {
      queue.enter(owner);
    }
    expect(queue.enter('a')).toBeNull();
    expect([queue.retryAfterMs('a'), queue.retryAfterMs('b')]).toEqual([10_000, 5_000]);
  });

  it('shares a single place in turns alone', async () => {
    const watched = new Watched(1, 9, true);
    enterMany(watched, ['a', 'a', 'a', 'b']);
    await watched.finishAll();
    expect(watched.admitted.map(({ owner }) => owner)).toEqual(['a', 'a', 'b', 'a']);
  });
});

type Step = { readonly enters: string } | { readonly leaves: number };

const someOwner = fc.constantFrom('a', 'b', 'c', 'd');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ enters: someOwner }) },
  { weight: 2, arbitrary: fc.record({ leaves: fc.nat() }) },
);

async function take(watched: Watched, chosen: Step): Promise<void> {
  if ('enters' in chosen) {
    watched.enter(chosen.enters);
    await turn();
    return;
  }
  const held = watched.held[chosen.leaves % Math.max(1, watched.held.length)];
  if (held !== undefined) {
    await watched.leave(held);
  }
}

/** Ends running calls, one after the other, until so many others were admitted. */
async function serve(watched: Watched, count: number): Promise<readonly Held[]> {
  const served = watched.admitted.length;
  for (let turns = 0; turns < count; turns += 1) {
    const [first] = watched.running;
    if (first !== undefined) {
      await watched.leave(first);
    }
  }
  return watched.admitted.slice(served);
}

describe('CallQueue, whatever comes and goes', () => {
  it('never lets more run or wait than it may, leaves no place empty, and admits all that stay', async () => {
    const steps = fc.array(step, { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), fc.nat(8), async (all, maxRunning, maxQueued) => {
        const watched = new Watched(maxRunning, maxQueued);
        for (const one of all) {
          await take(watched, one);
          const { running, queued } = watched.queue.load;
          expect([running, queued]).toEqual([watched.running.length, watched.waiting.length]);
          expect(running).toBe(Math.min(maxRunning, watched.held.length));
          expect(queued).toBeLessThanOrEqual(maxQueued);
        }
        await watched.finishAll();
        expect(watched.held).toEqual([]);
        expect(watched.queue.load).toEqual({ running: 0, queued: 0 });
      }),
      { numRuns: 200 },
    );
  });

  it('serves each of k waiting owners within k turns, and the calls of one in order', async () => {
    const owners = fc.array(someOwner, { minLength: 2, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(owners, async (arrivals) => {
        const watched = new Watched(1, 1_000);
        const entered = enterMany(watched, arrivals);
        await turn();
        while (watched.waiting.length > 0) {
          const waiting = new Set(watched.waiting.map(({ owner }) => owner));
          const served = await serve(watched, waiting.size);
          expect(new Set(served.map(({ owner }) => owner))).toEqual(waiting);
        }
        for (const owner of arrivals) {
          const isOfOwner = (held: Held | null): boolean => held?.owner === owner;
          expect(watched.admitted.filter(isOfOwner)).toEqual(entered.filter(isOfOwner));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('reports to each call how many will be admitted before it', async () => {
    const owners = fc.array(someOwner, { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(owners, fc.constantFrom('a', 'b', 'c', 'd', 'e'), async (arrivals, owner) => {
        const watched = new Watched(1, 1_000);
        enterMany(watched, ['z', ...arrivals]);
        const last = watched.enter(owner);
        await watched.finishAll();
        const order: readonly (Held | null)[] = watched.admitted;
        // Before them all, one was admitted as it came.
        expect(last?.ticket.ahead).toBe(order.indexOf(last) - 1);
      }),
      { numRuns: 100 },
    );
  });

  it('SHARE-01: never lets one owner make another wait or turn it away', async () => {
    const steps = fc.array(step, { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 2, max: 7 }), fc.nat(9), async (all, maxRunning, maxQueued) => {
        const watched = new Watched(maxRunning, maxQueued, true);
        for (const one of all) {
          const holders = new Set(watched.held.map(({ owner }) => owner));
          await take(watched, one);
          if ('enters' in one && !holders.has(one.enters) && holders.size <= 1) {
            expect(watched.held.at(-1)).toMatchObject({ owner: one.enters, ticket: { mustWait: false } });
          }
        }
        await watched.finishAll();
        expect([watched.held, watched.queue.load]).toEqual([[], { running: 0, queued: 0 }]);
      }),
      { numRuns: 200 },
    );
  });

  it('never lets an owner hold more than its share of either kind of place', async () => {
    const steps = fc.array(step, { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(steps, someOwner, async (all, owner) => {
        const watched = new Watched(6, 9, true);
        const countOf = (among: readonly Held[]): number => among.filter((held) => held.owner === owner).length;
        for (const one of all) {
          await take(watched, one);
          expect(countOf(watched.running)).toBeLessThanOrEqual(4);
          expect(countOf(watched.waiting)).toBeLessThanOrEqual(6);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('leaves no slot empty while a call of an owner below its share waits', async () => {
    const steps = fc.array(step, { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const watched = new Watched(4, 9, true);
        for (const one of all) {
          await take(watched, one);
          const mayRun = ({ owner }: Held): boolean =>
            watched.running.filter((held) => held.owner === owner).length < 2;
          expect(watched.queue.load.running < 4 ? watched.waiting.filter(mayRun) : []).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
