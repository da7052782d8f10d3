import type { Session, SessionStore } from '@gemini-mcp/core';
import { expect } from 'vitest';
import {
  idOf,
  type SessionStoreSubject,
  sessionOf,
  signal,
  listed as summaryOf,
  versionOf,
} from './session-store-harness.ts';

/** The fields of `list()` and their order. */
export function describeSessionStoreListing({ proof, open }: SessionStoreSubject): void {
  proof.promise('list() returns the newest first, up to the limit', async () => {
    const { store } = await open();
    const ids = ['b', 'c', 'a'].map(idOf);
    for (const [index, id] of ids.entries()) {
      await store.save(sessionOf({ id, updatedAtMs: 1_000 * (index + 1) }), 0, signal);
    }
    const listed = await store.list('alice', 2, signal);
    expect(listed.map((entry) => entry.id)).toEqual([ids[2], ids[1]]);
  });

  proof.promise('list() sorts by the last update, whenever it was saved', async () => {
    const { store, reopen } = await open();
    const ids = ['a', 'b', 'c'].map(idOf);
    for (const [index, id] of ids.entries()) {
      await store.save(sessionOf({ id, updatedAtMs: 9_000 - 1_000 * index }), 0, signal);
    }
    const first = await store.load('alice', idOf('c'), signal);
    await store.save(sessionOf({ id: idOf('c'), updatedAtMs: 20_000 }), versionOf(first), signal);
    const listed = await reopen().list('alice', 10, signal);
    expect(listed.map((entry) => entry.id)).toEqual(['c', 'a', 'b'].map(idOf));
  });

  proof.promise('list() keeps one order for sessions of the same time, in every place', async () => {
    const { store, reopen } = await open();
    for (const letter of ['d', 'a', 'c', 'b']) {
      await store.save(sessionOf({ id: idOf(letter) }), 0, signal);
    }
    const listed = await store.list('alice', 10, signal);
    expect(listed).toHaveLength(4);
    expect(await reopen().list('alice', 10, signal)).toEqual(listed);
    expect(await store.list('alice', 2, signal)).toEqual(listed.slice(0, 2));
  });

  proof.promise('list() without sessions, or with limit zero, is empty', async () => {
    const { store } = await open();
    expect(await store.list('alice', 10, signal)).toEqual([]);
    await store.save(sessionOf(), 0, signal);
    expect(await store.list('alice', 0, signal)).toEqual([]);
    expect(await store.list('alice', Number.MAX_SAFE_INTEGER, signal)).toHaveLength(1);
  });

  proof.promise('list() distinguishes sessions, and reveals of their texts only the beginning', async () => {
    const { store, reopen } = await open();
    const turns = [
      { role: 'user', text: ' Why\n is the sky blue?', atMs: 1_000 },
      { role: 'model', text: 'Rayleigh', atMs: 2_000 },
    ] as const;
    await store.save(sessionOf({ createdAtMs: 1_000, updatedAtMs: 2_000, turns }), 0, signal);
    for (const place of [store, reopen()]) {
      expect(await place.list('alice', 10, signal)).toEqual([
        {
          id: '0f8fad5b-d9cb-469f-a165-70867728950e',
          title: 'Why is the sky blue?',
          model: 'gemini-2.5-pro',
          turns: 2,
          bytes: expect.any(Number),
          createdAtMs: 1_000,
          updatedAtMs: 2_000,
        },
      ]);
    }
  });

  proof.promise('list() gives titles of whole characters, in any script', async () => {
    const { store, reopen } = await open();
    const beginnings = [
      '\u6f22\u5b57 \u0437\u0430\u0447\u0435\u043c?',
      `${'x'.repeat(79)}\u{1f98a}`,
      '\u{1f98a}'.repeat(60),
    ];
    const sessions = beginnings.map((text, index) =>
      sessionOf({ id: idOf(`${index}`), updatedAtMs: index, turns: [{ role: 'user', text, atMs: 1 }] }),
    );
    for (const session of sessions) {
      await store.save(session, 0, signal);
    }
    expect(await reopen().list('alice', 10, signal)).toEqual(sessions.toReversed().map(summaryOf));
  });

  proof.promise(
    'SHARE-08: list() agrees with load(), for many sessions and after any save',
    async () => {
      const { store, reopen } = await open();
      for (let round = 0; round < 40; round += 1) {
        const id = crypto.randomUUID();
        let version = 0;
        for (let save = 0; save <= round % 3; save += 1) {
          version = versionOf(await store.save(sessionOf({ ...variant(round * 3 + save), id }), version, signal));
          await expectAgreement(store, id);
        }
        await expectAgreement(reopen(), id);
        expect(await store.delete('alice', id, signal)).toEqual({ deleted: true });
        expect(await reopen().list('alice', 10, signal)).toEqual([]);
      }
    },
    { deadlines: 6 },
  );
}

/** Characters that could be taken for the end of a summary, or for a fault in JSON or text. */
const texts = [
  '',
  ' \n',
  '"',
  '\\',
  '},"value":',
  '{"format":1,"summary":{',
  '\ud800',
  '\u0000\u2028',
  'x'.repeat(90),
  '\u6f22'.repeat(3_000),
];
const timesMs = [0, 1, 1_700_000_000_000, 8_640_000_000_000_000];

/** Every number has its own session; neighbours differ in all fields. */
function variant(number: number): Partial<Session> {
  const text = (offset: number): string =>
    `${texts[(number + offset) % texts.length]}${texts[(number * 7 + offset) % texts.length]}`;
  const timeMs = (offset: number): number => timesMs[(number + offset) % timesMs.length] ?? 0;
  return {
    model: number % 4 === 0 ? null : text(1),
    systemPrompt: number % 5 === 0 ? null : text(2),
    createdAtMs: timeMs(1),
    updatedAtMs: timeMs(0),
    turns: Array.from({ length: number % 6 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'model',
      text: text(3 + index),
      atMs: timeMs(index),
    })),
  };
}

async function expectAgreement(store: SessionStore, id: string): Promise<void> {
  const loaded = await store.load('alice', id, signal);
  const [summary, ...others] = await store.list('alice', 10, signal);
  expect(others).toEqual([]);
  expect(summary).toEqual(loaded === null ? undefined : summaryOf(loaded.session));
  const texts = loaded?.session.turns.map((turn) => turn.text) ?? [];
  expect(summary?.bytes).toBeGreaterThanOrEqual(new TextEncoder().encode(texts.join('')).length);
}
