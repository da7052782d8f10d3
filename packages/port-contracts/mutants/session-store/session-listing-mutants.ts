import type { SessionStore, SessionSummary } from '@gemini-mcp/core';
import { keyOf, type SessionStoreMutant, unbounded } from './session-mutant.ts';

/** Makes a title from the texts of the session. */
function titledBy(titleOf: (texts: readonly string[]) => string): Pick<SessionStoreMutant, 'mutate'> {
  return {
    mutate: ({ right }) => ({
      list: async (owner, limit, signal) => {
        const summaries = await right.list(owner, limit, signal);
        return Promise.all(summaries.map((one) => retitle(right, owner, one)));
      },
    }),
  };

  async function retitle(store: SessionStore, owner: string, summary: SessionSummary): Promise<SessionSummary> {
    const loaded = await store.load(owner, summary.id, new AbortController().signal);
    return { ...summary, title: titleOf(loaded?.session.turns.map(({ text }) => text) ?? []) };
  }
}

/** Mutants of lists. */
export const sessionListingMutants: readonly SessionStoreMutant[] = [
  {
    name: 'order-of-saves',
    wrong: 'lists by the time of saving instead of the last update',
    mutate: ({ right, memory }) => ({
      save: (session, version, signal) => {
        memory.set(keyOf(session), memory.size + (memory.get('saves') ?? 0));
        memory.set('saves', (memory.get('saves') ?? 0) + 1);
        return right.save(session, version, signal);
      },
      list: async (owner, limit, signal) => {
        const savedAt = ({ id }: SessionSummary): number => memory.get(keyOf({ owner, id })) ?? 0;
        const all = await right.list(owner, unbounded, signal);
        return all.toSorted((one, other) => savedAt(other) - savedAt(one)).slice(0, limit);
      },
    }),
  },
  {
    name: 'zero-lists-all',
    wrong: 'takes a limit of zero for no limit',
    mutate: ({ right }) => ({ list: (owner, limit, signal) => right.list(owner, limit || unbounded, signal) }),
  },
  {
    name: 'limit-before-order',
    wrong: 'takes any sessions up to the limit, and sorts those',
    mutate: ({ right }) => ({
      list: async (owner, limit, signal) => {
        const all = await right.list(owner, unbounded, signal);
        const some = all.toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
        return some.toSorted((one, other) => other.updatedAtMs - one.updatedAtMs);
      },
    }),
  },
  {
    name: 'shuffles-equal-times',
    wrong: 'lists sessions of one time in another order each time',
    mutate: ({ right, memory }) => ({
      list: async (owner, limit, signal) => {
        memory.set('lists', (memory.get('lists') ?? 0) + 1);
        const all = await right.list(owner, unbounded, signal);
        const turned = (memory.get('lists') ?? 0) % 2 === 0 ? all.toReversed() : all;
        return turned.toSorted((one, other) => other.updatedAtMs - one.updatedAtMs).slice(0, limit);
      },
    }),
  },
  {
    name: 'bytes-are-characters',
    wrong: 'gives the size of a session in characters',
    mutate: ({ right }) => ({
      list: async (owner, limit, signal) => {
        const summaries = await right.list(owner, limit, signal);
        const loaded = await Promise.all(summaries.map(({ id }) => right.load(owner, id, signal)));
        return summaries.map((one, index) => {
          const texts = loaded[index]?.session.turns.map(({ text }) => text) ?? [];
          return { ...one, bytes: texts.join('').length };
        });
      },
    }),
  },
  {
    name: 'title-of-the-end',
    wrong: 'makes the title from the last turn',
    ...titledBy((texts) => (texts.at(-1) ?? '').replace(/\s+/g, ' ').trim()),
  },
  { name: 'title-of-lines', wrong: 'gives a title of more than one line', ...titledBy(([text = '']) => text) },
  {
    name: 'half-a-character',
    wrong: 'cuts a title within a character',
    ...titledBy(([text = '']) => {
      const line = text.replace(/\s+/g, ' ').trim();
      return line.length > 80 ? `${line.slice(0, 80)}…` : line;
    }),
  },
];
