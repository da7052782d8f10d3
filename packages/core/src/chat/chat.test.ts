import { describe, expect, it } from 'vitest';
import type { AskProgress, AskRequest } from '../ask-gemini/ask-request.ts';
import type { AskResult } from '../ask-gemini/ask-result.ts';
import { plainRunSettings } from '../ports/gemini-runner.ts';
import type { SaveResult, Session, SessionStore } from '../ports/session-store.ts';
import { InMemorySessionStore } from '../session/in-memory-session-store.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { Chat } from './chat.ts';
import type { ChatReplyRequest, ChatRequest } from './chat-request.ts';

const never = new AbortController().signal;
const ignore = (): void => undefined;

const first: ChatRequest = {
  owner: 'ann',
  prompt: 'hello',
  model: null,
  settings: plainRunSettings,
  timeoutMs: 60_000,
};

const next: ChatReplyRequest = {
  owner: 'ann',
  sessionId: null,
  prompt: 'and then?',
  model: null,
  systemPrompt: null,
  directory: null,
  timeoutMs: 60_000,
};

function answered(text: string): AskResult {
  return { ok: true, answer: { text, model: 'pro', attempts: [], usage: [], context: null } };
}

function failedWith(timeoutMs: number): AskResult {
  const failure = { kind: 'overloaded', excerpt: '' } as const;
  return { ok: false, failed: { failure, attempts: [], partialText: 'half', context: null, timeoutMs } };
}

type Answer = (request: AskRequest, index: number, signal: AbortSignal) => Promise<AskResult> | AskResult;

/** A chat over stored sessions, and what it asked. Each question is answered by its number where nothing else is said. */
function createChat({
  answer = (_, index) => answered(`answer ${index}`),
  sessions = new InMemorySessionStore(),
}: {
  answer?: Answer;
  sessions?: SessionStore;
} = {}) {
  const clock = new FakeClock(1_000);
  const asked: AskRequest[] = [];
  let ids = 0;
  const chat = new Chat({
    clock,
    sessions,
    askGemini: {
      async ask(request, _onProgress, signal) {
        asked.push(request);
        return answer(request, asked.length, signal);
      },
    },
    createId: () => {
      ids += 1;
      return `id-${ids}`;
    },
  });
  return { chat, clock, asked, sessions };
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
  it('asks without a history and stores both turns, with what holds for the rest of the conversation', async () => {
    const { chat, asked, sessions } = createChat();
    const settings = {
      systemPrompt: 'be brief',
      tools: 'everything',
      directory: '/work',
      directoryIsOptional: false,
      apiKey: 'secret',
      sandbox: true,
    } as const;
    const result = await chat.start({ ...first, model: 'pro', settings }, ignore, never);
    expect(result).toMatchObject({ ok: true, sessionId: 'id-1', notKept: null, answer: { text: 'answer 1' } });
    expect(asked).toEqual([
      {
        owner: 'ann',
        prompt: 'hello',
        history: [],
        model: 'pro',
        settings,
        timeoutMs: 60_000,
        files: [],
        globPatterns: [],
        directories: [],
        maxFiles: 0,
        maxBytes: 0,
      },
    ]);
    expect(await sessions.load('ann', 'id-1', never)).toEqual({
      version: 1,
      session: {
        id: 'id-1',
        owner: 'ann',
        model: 'pro',
        workingDirectory: '/work',
        systemPrompt: 'be brief',
        createdAtMs: 1_000,
        updatedAtMs: 1_000,
        turns: [
          { role: 'user', text: 'hello', atMs: 1_000 },
          { role: 'model', text: 'answer 1', atMs: 1_000 },
        ],
      },
    });
  });

  it('leaves no session behind a message that failed', async () => {
    const { chat, sessions } = createChat({ answer: ({ timeoutMs }) => failedWith(timeoutMs) });
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
    ['takes another id where one is taken', [conflict], 'id-2', null],
    ['gives up where no id is free', Array(5).fill(conflict), 'id-5', 'no id was free for it'],
    ['answers although nothing can be kept', [noRoom], 'id-1', 'no room on the disk'],
  ])('%s', async (_, refusals, sessionId, notKept) => {
    const { chat } = createChat({ sessions: reluctant(new InMemorySessionStore(), refusals) });
    const result = await chat.start(first, ignore, never);
    expect(result).toMatchObject({ ok: true, sessionId, notKept, answer: { text: 'answer 1' } });
  });

  it('keeps an answer that had come before the cancel', async () => {
    const controller = new AbortController();
    const { chat, sessions } = createChat({
      answer: () => {
        controller.abort();
        return answered('just in time');
      },
    });
    expect(await chat.start(first, ignore, controller.signal)).toMatchObject({ ok: true, notKept: null });
    expect(textsOf((await sessions.load('ann', 'id-1', never))?.session)).toEqual([
      'user: hello',
      'model: just in time',
    ]);
  });
});

describe('Chat.reply', () => {
  it('sends the whole history, and settings without a key', async () => {
    const { chat, asked } = createChat();
    const settings = { ...plainRunSettings, systemPrompt: 'be brief', apiKey: 'secret', sandbox: true };
    await chat.start({ ...first, model: 'pro', settings }, ignore, never);
    await chat.reply({ ...next, sessionId: 'id-1' }, ignore, never);
    await chat.reply({ ...next, sessionId: 'id-1', prompt: 'why?' }, ignore, never);
    expect(asked[2]).toMatchObject({
      owner: 'ann',
      prompt: 'why?',
      model: 'pro',
      history: [
        { role: 'user', text: 'hello' },
        { role: 'model', text: 'answer 1' },
        { role: 'user', text: 'and then?' },
        { role: 'model', text: 'answer 2' },
      ],
      settings: { ...plainRunSettings, systemPrompt: 'be brief', directoryIsOptional: true },
    });
  });

  it('changes what it names from now on', async () => {
    const { chat, asked, sessions } = createChat();
    await chat.start({ ...first, model: 'pro' }, ignore, never);
    const change = { model: 'flash', systemPrompt: 'be long', directory: '/work' };
    await chat.reply({ ...next, ...change }, ignore, never);
    await chat.reply(next, ignore, never);
    const settings = { ...plainRunSettings, systemPrompt: 'be long', tools: 'read-only', directory: '/work' };
    expect(asked.slice(1).map((question) => [question.model, question.settings])).toEqual([
      ['flash', settings],
      // A directory is looked for when it is named; later on the conversation goes on without it.
      ['flash', { ...settings, directoryIsOptional: true }],
    ]);
    expect((await sessions.load('ann', 'id-1', never))?.session).toMatchObject({
      model: 'flash',
      systemPrompt: 'be long',
      workingDirectory: '/work',
    });
  });

  it("takes the owner's newest session where none is named", async () => {
    const { chat, clock } = createChat();
    await chat.start(first, ignore, never);
    await clock.advance(1);
    await chat.start(first, ignore, never);
    await clock.advance(1);
    await chat.start({ ...first, owner: 'bob' }, ignore, never);
    expect(await chat.reply(next, ignore, never)).toMatchObject({ ok: true, sessionId: 'id-2' });
  });

  it.each([
    ['an id that nobody has', 'id-9', 'ann', ['id-7', 'id-6', 'id-5', 'id-4', 'id-3']],
    ["another owner's id", 'id-1', 'bob', []],
    ['no id where there is no session', null, 'bob', []],
  ])('fails for %s, and tells the newest there are', async (_, sessionId, owner, ids) => {
    const { chat, clock, asked } = createChat();
    for (let number = 1; number <= 7; number += 1) {
      await chat.start(first, ignore, never);
      await clock.advance(1);
    }
    const result = await chat.reply({ ...next, owner, sessionId }, ignore, never);
    const newest = ids.map((id) => ({ id, title: 'hello', turns: 2, updatedAtMs: expect.any(Number) }));
    expect(result).toEqual({
      ok: false,
      sessionId: null,
      failed: {
        failure: { kind: 'unknown-session', newest },
        attempts: [],
        partialText: '',
        context: null,
        timeoutMs: 60_000,
      },
    });
    expect(asked).toHaveLength(7);
  });

  it('leaves the session as it was when the message fails', async () => {
    const answer: Answer = ({ timeoutMs }, index) => (index === 1 ? answered('yes') : failedWith(timeoutMs));
    const { chat, sessions } = createChat({ answer });
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
    ['puts the exchange behind what others have added', [conflict], null],
    ['gives up after some conflicts', Array(5).fill(conflict), 'changed by others'],
    ['answers although nothing can be kept', [noRoom], 'no room on the disk'],
  ])('%s', async (_, refusals, notKept) => {
    const store = new InMemorySessionStore();
    await createChat({ sessions: store }).chat.start(first, ignore, never);
    const { chat } = createChat({ sessions: reluctant(store, refusals) });
    const result = await chat.reply(next, ignore, never);
    expect(result).toMatchObject({ ok: true, sessionId: 'id-1', answer: { text: 'answer 1' } });
    expect(result.ok && result.notKept).toEqual(notKept === null ? null : expect.stringContaining(notKept));
    const turns = textsOf((await store.load('ann', 'id-1', never))?.session);
    expect(turns).toHaveLength(notKept === null ? 4 : 2);
  });

  it('answers, and keeps nothing, where the session was deleted meanwhile', async () => {
    const sessions = new InMemorySessionStore();
    const { chat } = createChat({
      sessions,
      answer: async (_, index) => {
        await sessions.delete('ann', 'id-1', never);
        return answered(`answer ${index}`);
      },
    });
    await chat.start(first, ignore, never);
    expect(await chat.reply(next, ignore, never)).toMatchObject({
      ok: true,
      notKept: 'the session was deleted meanwhile',
    });
    expect(await sessions.list('ann', 10, never)).toEqual([]);
  });
});

describe('replies at once', () => {
  /** Each answer takes a second. */
  function createSlowChat(timeoutsMs: number[] = []) {
    const clockOf: { clock?: FakeClock } = {};
    const created = createChat({
      answer: async ({ timeoutMs }, index, signal) => {
        timeoutsMs.push(timeoutMs);
        await clockOf.clock?.sleep(1_000, signal);
        return answered(`answer ${index}`);
      },
    });
    clockOf.clock = created.clock;
    return created;
  }

  async function begin({ chat, clock }: ReturnType<typeof createChat>): Promise<void> {
    const started = chat.start(first, ignore, never);
    await clock.advance(1_000);
    await started;
  }

  it('are answered one after the other, each with the turns of those before it (LOAD-04)', async () => {
    const timeoutsMs: number[] = [];
    const created = createSlowChat(timeoutsMs);
    await begin(created);
    const { chat, clock, asked } = created;
    const progress: AskProgress[] = [];
    const replies = ['one', 'two', 'three'].map((prompt) =>
      chat.reply({ ...next, sessionId: 'id-1', prompt }, (step) => progress.push(step), never),
    );
    await clock.advance(3_000);
    expect((await Promise.all(replies)).every(({ ok }) => ok)).toBe(true);
    expect(asked.slice(1).map(({ history }) => history?.length)).toEqual([2, 4, 6]);
    expect(asked.at(-1)?.history?.map(({ text }) => text)).toEqual([
      'hello',
      'answer 1',
      'one',
      'answer 2',
      'two',
      'answer 3',
    ]);
    expect(timeoutsMs).toEqual([60_000, 60_000, 59_000, 58_000]);
    expect(progress).toEqual([
      { type: 'queued', ahead: 1 },
      { type: 'queued', ahead: 2 },
    ]);
    expect(clock.sleeping).toBe(0);
  });

  it('run side by side on different sessions', async () => {
    const created = createSlowChat();
    await begin(created);
    await begin(created);
    const { chat, clock } = created;
    const replies = ['id-1', 'id-2'].map((sessionId) => chat.reply({ ...next, sessionId }, ignore, never));
    await clock.advance(1_000);
    expect((await Promise.all(replies)).map(({ ok }) => ok)).toEqual([true, true]);
  });

  it('end when their time is over, whether they wait or have just had their turn', async () => {
    const created = createSlowChat();
    await begin(created);
    const { chat, clock, asked } = created;
    const replies = [60_000, 999, 0].map((timeoutMs) =>
      chat.reply({ ...next, sessionId: 'id-1', timeoutMs }, ignore, never),
    );
    await clock.advance(1_000);
    expect(await Promise.all(replies)).toMatchObject([
      { ok: true },
      { ok: false, sessionId: 'id-1', failed: { failure: { kind: 'timeout' }, timeoutMs: 999 } },
      { ok: false, sessionId: 'id-1', failed: { failure: { kind: 'timeout' }, timeoutMs: 0 } },
    ]);
    expect(await chat.reply({ ...next, timeoutMs: 0 }, ignore, never)).toMatchObject({
      failed: { failure: { kind: 'timeout' } },
    });
    expect(asked).toHaveLength(2);
  });

  it('fail with the time of the whole call, also when most of it was spent in waiting', async () => {
    const clockOf: { clock?: FakeClock } = {};
    const created = createChat({
      answer: async ({ timeoutMs }, index, signal) => {
        await clockOf.clock?.sleep(1_000, signal);
        return index < 3 ? answered('yes') : failedWith(timeoutMs);
      },
    });
    clockOf.clock = created.clock;
    await begin(created);
    const replies = [1, 2].map(() => created.chat.reply({ ...next, sessionId: 'id-1' }, ignore, never));
    await created.clock.advance(2_000);
    expect(created.asked.at(-1)?.timeoutMs).toBe(59_000);
    expect(await replies[1]).toMatchObject({ ok: false, failed: { timeoutMs: 60_000 } });
  });

  it('end as soon as they are cancelled, and make way for the next', async () => {
    const created = createSlowChat();
    await begin(created);
    const { chat, clock, asked } = created;
    const controller = new AbortController();
    const replies = [never, controller.signal, never].map((signal) =>
      chat.reply({ ...next, sessionId: 'id-1' }, ignore, signal),
    );
    await clock.advance(0);
    controller.abort();
    expect(await replies[1]).toMatchObject({ ok: false, failed: { failure: { kind: 'cancelled' } } });
    await clock.advance(2_000);
    expect(await Promise.all(replies)).toMatchObject([{ ok: true }, { ok: false }, { ok: true }]);
    expect(asked).toHaveLength(3);
  });

  it.each([null, 'id-1'])('are cancelled before anything is looked up: session %s', async (sessionId) => {
    const { chat, asked } = createChat();
    const controller = new AbortController();
    controller.abort();
    expect(await chat.reply({ ...next, sessionId }, ignore, controller.signal)).toMatchObject({
      ok: false,
      failed: { failure: { kind: 'cancelled' } },
    });
    expect(asked).toEqual([]);
  });

  it('are busy beyond eight that wait', async () => {
    const created = createSlowChat();
    await begin(created);
    const { chat, clock } = created;
    const replies = Array.from({ length: 10 }, () => chat.reply({ ...next, sessionId: 'id-1' }, ignore, never));
    expect(await replies[9]).toMatchObject({
      ok: false,
      sessionId: 'id-1',
      failed: { failure: { kind: 'busy', retryAfterMs: null } },
    });
    await clock.advance(9_000);
    expect((await Promise.all(replies)).filter(({ ok }) => ok)).toHaveLength(9);
  });

  it('make way when a question breaks', async () => {
    const { chat } = createChat({
      answer: (_, index) => {
        if (index === 2) {
          throw new Error('broken');
        }
        return answered('fine');
      },
    });
    await chat.start(first, ignore, never);
    await expect(chat.reply(next, ignore, never)).rejects.toThrow('broken');
    expect(await chat.reply(next, ignore, never)).toMatchObject({ ok: true });
  });
});
