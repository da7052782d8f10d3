import { keyOf, type SessionStoreMutant } from './session-mutant.ts';

const keptOf =
  (change: (retentionMs: number) => number | null): NonNullable<SessionStoreMutant['changePlace']> =>
  ({ retentionMs }) => ({ retentionMs: retentionMs === null ? null : change(retentionMs) });

const isTooOld = (
  sinceMs: number,
  { clock, retentionMs }: Parameters<NonNullable<SessionStoreMutant['changePlace']>>[0],
): boolean => retentionMs !== null && sinceMs <= clock.now() - retentionMs;

/** How long they keep sessions. */
export const sessionRetentionMutants: readonly SessionStoreMutant[] = [
  {
    name: 'forgets-early',
    wrong: 'forgets a session a millisecond too early',
    changePlace: keptOf((retentionMs) => retentionMs - 1),
  },
  {
    name: 'forgets-late',
    wrong: 'keeps a session a millisecond too long',
    changePlace: keptOf((retentionMs) => retentionMs + 1),
  },
  { name: 'never-forgets', wrong: 'keeps sessions for ever', changePlace: keptOf(() => null) },
  {
    name: 'forgets-without-being-told',
    wrong: 'forgets sessions after a year although it should keep them for ever',
    changePlace: ({ retentionMs }) => ({ retentionMs: retentionMs ?? 365 * 86_400_000 }),
  },
  {
    name: 'age-since-saved-first',
    wrong: 'forgets a session a time after it was saved first, whatever was said since',
    mutate: ({ right, place, memory }) => ({
      save: (session, version, signal) => {
        memory.set(keyOf(session), memory.get(keyOf(session)) ?? place.clock.now());
        return right.save(session, version, signal);
      },
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        return isTooOld(memory.get(keyOf({ owner, id })) ?? 0, place) ? null : loaded;
      },
    }),
  },
  {
    name: 'reading-renews',
    wrong: 'lets a session live longer that is read',
    changePlace: keptOf(() => null),
    mutate: ({ right, place, memory }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        const usedAtMs = Math.max(memory.get(keyOf({ owner, id })) ?? 0, loaded?.session.updatedAtMs ?? 0);
        const isForgotten = isTooOld(usedAtMs, place);
        if (!isForgotten) {
          memory.set(keyOf({ owner, id }), place.clock.now());
        }
        return isForgotten ? null : loaded;
      },
    }),
  },
  {
    name: 'lists-forgotten',
    wrong: 'lists sessions that it does not load any more',
    changePlace: keptOf(() => null),
    mutate: ({ right, place }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        return loaded === null || isTooOld(loaded.session.updatedAtMs, place) ? null : loaded;
      },
    }),
  },
  {
    name: 'forgotten-stays-in-the-way',
    wrong: 'takes a save as new for a conflict where a session was forgotten',
    changePlace: keptOf(() => null),
    mutate: ({ right, place }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        return loaded === null || isTooOld(loaded.session.updatedAtMs, place) ? null : loaded;
      },
      list: async (owner, limit, signal) =>
        (await right.list(owner, limit, signal)).filter(({ updatedAtMs }) => !isTooOld(updatedAtMs, place)),
      delete: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        return loaded === null || isTooOld(loaded.session.updatedAtMs, place)
          ? { deleted: false, reason: 'unknown' }
          : right.delete(owner, id, signal);
      },
      owners: async (signal) => {
        const owners = await right.owners(signal);
        const lists = await Promise.all(owners.map((owner) => right.list(owner, 1, signal)));
        return owners.filter((_, index) => !isTooOld(lists[index]?.[0]?.updatedAtMs ?? 0, place));
      },
    }),
  },
  {
    name: 'owners-of-forgotten',
    wrong: 'names owners whose sessions were all forgotten',
    mutate: ({ right, place, memory }) => ({
      save: (session, version, signal) => {
        memory.set(session.owner, 1);
        return right.save(session, version, signal);
      },
      owners: async (signal) => (place.retentionMs === null ? right.owners(signal) : [...memory.keys()]),
    }),
  },
];
