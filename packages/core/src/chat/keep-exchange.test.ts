import { describe, expect, it } from 'vitest';
import type { AskResult } from '../answers/ask-result.ts';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import type { SaveResult, Session, SessionStore } from '../ports/session-store.ts';
import { SessionRecords } from '../session/session-records.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { Chat } from './chat.ts';
import { answered, capable, failedWith, first, ignore, never, next, numberedIds } from './testing/chat-samples.ts';

type Answer = (request: AskRequest) => Promise<AskResult> | AskResult;

/** A chat over these sessions, whose ids are numbered. */
function createChat(sessions: SessionStore, answer: Answer = () => answered('answer 1')) {
  return new Chat({
    clock: new FakeClock(1_000),
    sessions,
    askGemini: { ask: async (request) => answer(request) },
    runner: capable,
    createId: numberedIds(),
  });
}

function textsOf(session: Session | undefined): readonly string[] {
  return (session?.turns ?? []).map(({ role, text }) => `${role}: ${text}`);
}

/** A store that says so for the first saves, and then does what it should. */
function reluctant(sessions: SessionStore, refusals: readonly (() => Promise<SaveResult>)[]): SessionStore {
  const left = [...refusals];
  return {
    load: (owner, id, signal) => sessions.load(owner, id, signal),
    list: (owner, limit, signal) => sessions.list(owner, limit, signal),
    delete: (owner, id, signal) => sessions.delete(owner, id, signal),
    owners: (signal) => sessions.owners(signal),
    save: async (session, version, signal) => {
      const refusal = left.shift();
      return refusal === undefined ? sessions.save(session, version, signal) : refusal();
    },
  };
}

async function conflict(): Promise<SaveResult> {
  return { saved: false, reason: 'conflict' };
}

async function noRoom(): Promise<SaveResult> {
  return { saved: false, reason: 'unavailable', detail: 'no room on the disk' };
}

describe('Chat.start', () => {
  it('leaves no session after a message that failed', async () => {
    const sessions = new SessionRecords();
    const chat = createChat(sessions, ({ timeoutMs }) => failedWith(timeoutMs));
    expect(await chat.start(first, ignore, never)).toEqual({
      ok: false,
      sessionId: null,
      failed: {
        failure: { kind: 'overloaded', excerpt: '' },
        attempts: [],
        partialText: 'half',
        context: null,
        timeoutMs: 60_000,
      },
    });
    expect(await sessions.list('ann', 10, never)).toEqual([]);
  });

  it.each([
    ['uses another id if one is taken', [conflict], 'id-2', null],
    ['gives up if no id is free', Array(5).fill(conflict), 'id-5', 'no id was free for it'],
    ['answers although nothing can be kept', [noRoom], 'id-1', 'no room on the disk'],
  ])('%s', async (_, refusals, sessionId, notKept) => {
    const chat = createChat(reluctant(new SessionRecords(), refusals));
    const result = await chat.start(first, ignore, never);
    expect(result).toMatchObject({ ok: true, sessionId, notKept, answer: { text: 'answer 1' } });
  });

  it('keeps an answer that had come before the cancel', async () => {
    const controller = new AbortController();
    const sessions = new SessionRecords();
    const chat = createChat(sessions, () => {
      controller.abort();
      return answered('just in time');
    });
    expect(await chat.start(first, ignore, controller.signal)).toMatchObject({ ok: true, notKept: null });
    expect(textsOf((await sessions.load('ann', 'id-1', never))?.session)).toEqual([
      'user: hello',
      'model: just in time',
    ]);
  });
});

describe('Chat.reply', () => {
  it('leaves the session as it was when the message fails', async () => {
    const sessions = new SessionRecords();
    const chat = createChat(sessions, ({ history, timeoutMs }) =>
      history?.length === 0 ? answered('yes') : failedWith(timeoutMs),
    );
    await chat.start(first, ignore, never);
    const before = await sessions.load('ann', 'id-1', never);
    expect(await chat.reply({ ...next, model: 'flash' }, ignore, never)).toMatchObject({
      ok: false,
      sessionId: 'id-1',
      failed: { failure: { kind: 'overloaded' }, partialText: 'half' },
    });
    expect(await sessions.load('ann', 'id-1', never)).toEqual(before);
  });

  it.each([
    ['puts the exchange after what others have added', [conflict], null],
    ['gives up after some conflicts', Array(5).fill(conflict), 'other calls changed the session'],
    ['answers although nothing can be kept', [noRoom], 'no room on the disk'],
  ])('%s', async (_, refusals, notKept) => {
    const store = new SessionRecords();
    await createChat(store).start(first, ignore, never);
    const chat = createChat(reluctant(store, refusals));
    const result = await chat.reply(next, ignore, never);
    expect(result).toMatchObject({ ok: true, sessionId: 'id-1', answer: { text: 'answer 1' } });
    expect(result.ok && result.notKept).toEqual(notKept === null ? null : expect.stringContaining(notKept));
    const turns = textsOf((await store.load('ann', 'id-1', never))?.session);
    expect(turns).toHaveLength(notKept === null ? 4 : 2);
  });

  it('answers, and saves nothing, if the session was deleted in the meantime', async () => {
    const sessions = new SessionRecords();
    const chat = createChat(sessions, async () => {
      await sessions.delete('ann', 'id-1', never);
      return answered('answer 1');
    });
    await chat.start(first, ignore, never);
    expect(await chat.reply(next, ignore, never)).toMatchObject({
      ok: true,
      notKept: 'the session was deleted in the meantime',
    });
    expect(await sessions.list('ann', 10, never)).toEqual([]);
  });
});
