import type { Session, SessionBounds, SessionSummary } from '@gemini-mcp/core';
import { keyOf, neverAborted, type SessionStoreMutant, unbounded } from './session-mutant.ts';

const withBounds =
  (change: (bounds: SessionBounds) => Partial<SessionBounds>): NonNullable<SessionStoreMutant['editTarget']> =>
  ({ bounds }) => ({ bounds: { ...bounds, ...change(bounds) } });

function charactersOf({ turns }: Session): number {
  return turns.reduce((sum, { text }) => sum + text.length, 0);
}

/** Removes sessions of the owner in its own order: the first of `sort` go first. */
function evicting(
  sort: (summaries: readonly SessionSummary[], memory: Map<string, number>) => readonly SessionSummary[],
): Pick<SessionStoreMutant, 'editTarget' | 'mutate'> {
  return {
    editTarget: withBounds(() => ({ maxRecordsOfOwner: unbounded, maxBytesOfOwner: unbounded })),
    mutate: ({ right, place: { bounds }, memory }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        memory.set('saves', (memory.get('saves') ?? 0) + 1);
        memory.set(session.id, memory.get('saves') ?? 0);
        const left = [...sort(await right.list(session.owner, unbounded, neverAborted), memory)];
        const isTooMuch = (): boolean =>
          left.length > bounds.maxRecordsOfOwner ||
          left.reduce((sum, { bytes }) => sum + bytes, 0) > bounds.maxBytesOfOwner;
        while (isTooMuch()) {
          await right.delete(session.owner, left.shift()?.id ?? '', neverAborted);
        }
        return saved;
      },
    }),
  };
}

/** Mutants of bounds. */
export const sessionBoundMutants: readonly SessionStoreMutant[] = [
  {
    name: 'one-byte-more',
    wrong: 'keeps a session that is one byte too large',
    editTarget: withBounds(({ maxBytesOfRecord }) => ({ maxBytesOfRecord: maxBytesOfRecord + 1 })),
  },
  {
    name: 'no-rollback',
    wrong: 'reports a failed save when it could not make room, and keeps the session',
    mutate: ({ right, whole, place }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        const known = await whole.list(session.owner, unbounded, signal);
        if (!saved.saved && saved.reason === 'unavailable' && known.length >= place.bounds.maxRecordsOfOwner) {
          await whole.save(session, version, signal);
        }
        return saved;
      },
    }),
  },
  {
    name: 'refusal-deletes',
    wrong: 'deletes a session that has become too large',
    mutate: ({ right, whole, place }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        if (!saved.saved && charactersOf(session) * 3 > place.bounds.maxBytesOfRecord) {
          await whole.delete(session.owner, session.id, neverAborted);
        }
        return saved;
      },
    }),
  },
  {
    name: 'shared-owner-bound',
    wrong: 'holds the bound of an owner against all owners together',
    editTarget: withBounds(({ maxBytesOfOwner }) => ({ maxBytes: maxBytesOfOwner })),
  },
  {
    name: 'newest-goes',
    wrong: 'removes the session that was updated last before',
    ...evicting(([saved, ...others]) => [...others, ...(saved ? [saved] : [])]),
  },
  {
    name: 'saved-first-goes',
    wrong: 'removes the session that was saved first, whenever it was updated',
    ...evicting((summaries, memory) =>
      summaries.toSorted((one, other) => (memory.get(one.id) ?? 0) - (memory.get(other.id) ?? 0)),
    ),
  },
  {
    name: 'just-saved-goes',
    wrong: 'removes the session that was just saved if others were updated after it',
    ...evicting((summaries) => summaries.toReversed()),
  },
  {
    name: 'never-makes-room',
    wrong: 'counts deleted and replaced sessions',
    editTarget: withBounds(() => ({ maxBytesOfOwner: unbounded })),
    mutate: ({ right, place: { bounds }, memory }) => ({
      save: async (session, version, signal) => {
        const bytes = (memory.get(session.owner) ?? 0) + charactersOf(session);
        memory.set(session.owner, bytes);
        const saved = await right.save(session, version, signal);
        const others = (await right.list(session.owner, unbounded, neverAborted)).filter(({ id }) => id !== session.id);
        const oldest = others.at(-1);
        if (bytes > bounds.maxBytesOfOwner && oldest !== undefined) {
          await right.delete(session.owner, oldest.id, neverAborted);
        }
        return saved;
      },
    }),
  },
  {
    name: 'oldest-of-all-goes',
    wrong: 'removes the oldest session of all when all owners together have too many',
    editTarget: withBounds(() => ({ maxBytes: unbounded })),
    mutate: ({ right, place: { bounds } }) => ({
      save: async (session, version, signal) => {
        const saved = await right.save(session, version, signal);
        const owners = await right.owners(neverAborted);
        const lists = owners.map(async (owner) =>
          (await right.list(owner, unbounded, neverAborted)).map((one) => ({ ...one, owner })),
        );
        const all = (await Promise.all(lists)).flat().filter((one) => keyOf(one) !== keyOf(session));
        const oldestLast = all.toSorted((one, other) => other.updatedAtMs - one.updatedAtMs);
        const used = all.reduce((sum, { bytes }) => sum + bytes, 22_000);
        const oldest = oldestLast.at(-1);
        if (used > bounds.maxBytes && oldest !== undefined) {
          await right.delete(oldest.owner, oldest.id, neverAborted);
        }
        return saved;
      },
    }),
  },
];
