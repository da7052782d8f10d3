import type { SessionStoreMutant } from './session-mutant.ts';

const keptOf =
  (change: (retentionMs: number) => number | null): NonNullable<SessionStoreMutant['editTarget']> =>
  ({ retentionMs }) => ({ retentionMs: retentionMs === null ? null : change(retentionMs) });

const isTooOld = (
  sinceMs: number,
  { clock, retentionMs }: Parameters<NonNullable<SessionStoreMutant['editTarget']>>[0],
): boolean => retentionMs !== null && sinceMs <= clock.now() - retentionMs;

/** Mutants of retention. */
export const sessionRetentionMutants: readonly SessionStoreMutant[] = [
  {
    name: 'forgets-without-being-told',
    wrong: 'forgets sessions after a year although it should keep them for ever',
    editTarget: ({ retentionMs }) => ({ retentionMs: retentionMs ?? 365 * 86_400_000 }),
  },
  {
    name: 'lists-forgotten',
    wrong: 'lists sessions that it no longer loads',
    editTarget: keptOf(() => null),
    mutate: ({ right, place }) => ({
      load: async (owner, id, signal) => {
        const loaded = await right.load(owner, id, signal);
        return loaded === null || isTooOld(loaded.session.updatedAtMs, place) ? null : loaded;
      },
    }),
  },
  {
    name: 'owners-of-forgotten',
    wrong: 'names owners whose sessions have all expired',
    mutate: ({ right, place, memory }) => ({
      save: (session, version, signal) => {
        memory.set(session.owner, 1);
        return right.save(session, version, signal);
      },
      owners: async (signal) => (place.retentionMs === null ? right.owners(signal) : [...memory.keys()]),
    }),
  },
];
