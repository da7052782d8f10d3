import { neverAborted, type SessionStoreMutant } from './session-mutant.ts';

/** What they list. */
export const sessionListingMutants: readonly SessionStoreMutant[] = [
  {
    name: 'lists-all-owners',
    wrong: "lists other owners' sessions among the owner's",
    mutate: (right) => ({
      list: async (_, limit, signal) => {
        const owners = await right.owners(signal);
        return (await Promise.all(owners.map((one) => right.list(one, limit, signal)))).flat().slice(0, limit);
      },
    }),
  },
  {
    name: 'oldest-first',
    wrong: 'lists the least recently updated first',
    mutate: (right) => ({
      list: async (owner, limit, signal) =>
        (await right.list(owner, Number.MAX_SAFE_INTEGER, signal)).toReversed().slice(0, limit),
    }),
  },
  {
    name: 'no-list-limit',
    wrong: 'lists one more than the limit',
    mutate: (right) => ({ list: (owner, limit, signal) => right.list(owner, limit + 1, signal) }),
  },
  {
    name: 'counts-exchanges',
    wrong: 'counts two turns as one',
    mutate: (right) => ({
      list: async (owner, limit, signal) =>
        (await right.list(owner, limit, signal)).map((one) => ({ ...one, turns: Math.ceil(one.turns / 2) })),
    }),
  },
  {
    name: 'no-title',
    wrong: 'gives no title',
    mutate: (right) => ({
      list: async (owner, limit, signal) =>
        (await right.list(owner, limit, signal)).map((one) => ({ ...one, title: '' })),
    }),
  },
  {
    name: 'repeats-owners',
    wrong: 'names an owner for each session',
    mutate: (right) => ({
      owners: async (signal) => {
        const owners = await right.owners(signal);
        const counts = await Promise.all(owners.map((one) => right.list(one, 1_000, signal)));
        return owners.flatMap((one, index) => (counts[index] ?? []).map(() => one));
      },
    }),
  },
  {
    name: 'no-owners',
    wrong: 'names no owner',
    mutate: (right) => ({ owners: async (signal) => (await right.owners(signal)).slice(0, 0) }),
  },
  {
    name: 'ignores-aborted-list',
    wrong: 'lists although the signal is aborted',
    mutate: (right) => ({ list: (owner, limit) => right.list(owner, limit, neverAborted) }),
  },
  {
    name: 'ignores-aborted-owners',
    wrong: 'names owners although the signal is aborted',
    mutate: (right) => ({ owners: () => right.owners(neverAborted) }),
  },
];
