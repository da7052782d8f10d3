import { changingSessions, changingTexts, type SessionStoreMutant } from './session-mutant.ts';

/** What they keep of a session. */
export const sessionTextMutants: readonly SessionStoreMutant[] = [
  {
    name: 'no-emoji',
    wrong: 'keeps the first plane of Unicode',
    ...changingTexts((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
  },
  { name: 'changes-line-ends', wrong: 'turns CRLF into LF', ...changingTexts((text) => text.replaceAll('\r\n', '\n')) },
  { name: 'cuts-at-nul', wrong: 'ends a text at NUL', ...changingTexts((text) => text.replace(/\0.*/s, '')) },
  {
    name: 'well-formed-text',
    wrong: 'replaces half a surrogate pair in a text',
    ...changingTexts((text) => text.replaceAll('\ud800', '\ufffd')),
  },
  {
    name: 'drops-byte-order-mark',
    wrong: 'drops a byte order mark',
    ...changingTexts((text) => text.replaceAll('\ufeff', '')),
  },
  { name: 'trims-texts', wrong: 'drops white space around a text', ...changingTexts((text) => text.trim()) },
  {
    name: 'cuts-long-texts',
    wrong: 'keeps the first 1,048,576 characters of a text',
    ...changingTexts((text) => text.slice(0, 1_048_576)),
  },
  {
    name: 'loses-model',
    wrong: 'loses the model',
    ...changingSessions((session) => ({ ...session, model: null })),
  },
  {
    name: 'loses-directory',
    wrong: 'loses the working directory',
    ...changingSessions((session) => ({ ...session, workingDirectory: null })),
  },
  {
    name: 'loses-system-prompt',
    wrong: 'loses the system prompt',
    ...changingSessions((session) => ({ ...session, systemPrompt: null })),
  },
  {
    name: 'null-is-empty',
    wrong: 'takes no model for an empty name',
    ...changingSessions((session) => ({ ...session, model: session.model ?? '' })),
  },
  {
    name: 'empty-is-null',
    wrong: 'takes an empty system prompt for none',
    ...changingSessions((session) => ({ ...session, systemPrompt: session.systemPrompt || null })),
  },
  {
    name: 'one-role',
    wrong: 'takes all turns for those of the user',
    ...changingSessions((session) => ({
      ...session,
      turns: session.turns.map((turn) => ({ ...turn, role: 'user' as const })),
    })),
  },
  {
    name: 'one-time',
    wrong: 'dates all turns by the last update',
    ...changingSessions((session) => ({
      ...session,
      turns: session.turns.map((turn) => ({ ...turn, atMs: session.updatedAtMs })),
    })),
  },
  {
    name: 'loses-creation',
    wrong: 'takes the last update for the creation',
    ...changingSessions((session) => ({ ...session, createdAtMs: session.updatedAtMs })),
  },
  {
    name: 'own-clock',
    wrong: 'dates the last update by its clock',
    mutate: ({ right, place }) => ({
      save: (session, version, signal) => right.save({ ...session, updatedAtMs: place.clock.now() }, version, signal),
    }),
  },
  {
    name: 'loses-last-turn',
    wrong: 'loses the last turn of two or more',
    ...changingSessions((session) => ({
      ...session,
      turns: session.turns.slice(0, Math.max(1, session.turns.length - 1)),
    })),
  },
  {
    name: 'drops-empty-turns',
    wrong: 'drops turns without text',
    ...changingSessions((session) => ({ ...session, turns: session.turns.filter(({ text }) => text !== '') })),
  },
];
