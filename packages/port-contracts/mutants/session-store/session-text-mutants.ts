import { changingSessions, changingTexts, type SessionStoreMutant } from './session-mutant.ts';

/** Mutants of a session's content. */
export const sessionTextMutants: readonly SessionStoreMutant[] = [
  {
    name: 'cuts-long-texts',
    wrong: 'keeps the first 1,048,576 characters of a text',
    ...changingTexts((text) => text.slice(0, 1_048_576)),
  },
  {
    name: 'empty-is-null',
    wrong: 'takes an empty system prompt for a missing one',
    ...changingSessions((session) => ({ ...session, systemPrompt: session.systemPrompt || null })),
  },
  {
    name: 'loses-creation',
    wrong: 'takes the last update for the creation',
    ...changingSessions((session) => ({ ...session, createdAtMs: session.updatedAtMs })),
  },
  {
    name: 'loses-last-turn',
    wrong: 'loses the last turn of two or more',
    ...changingSessions((session) => ({
      ...session,
      turns: session.turns.slice(0, Math.max(1, session.turns.length - 1)),
    })),
  },
];
