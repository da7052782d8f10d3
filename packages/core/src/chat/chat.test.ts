import { describe, expect, it } from 'vitest';
import type { AskProgress, AskRequest } from '../ask-gemini/ask-request.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import { SessionRecords } from '../session/session-records.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { Chat } from './chat.ts';
import { answered, capable, first, ignore, never, next, numberedIds } from './testing/chat-samples.ts';

/** A chat with sessions whose ids are numbered, and what it asked. Each question is answered by its number. */
function createChat({ answerMs = 0 }: { answerMs?: number } = {}) {
  const sessions = new SessionRecords();
  const clock = new FakeClock(1_000);
  const asked: AskRequest[] = [];
  const chat = new Chat({
    clock,
    sessions,
    askGemini: {
      async ask(request, _onProgress, signal) {
        asked.push(request);
        const answer = answered(`answer ${asked.length}`);
        if (answerMs > 0) {
          await clock.sleep(answerMs, signal);
        }
        return answer;
      },
    },
    runner: capable,
    createId: numberedIds(),
  });
  return { chat, clock, asked, sessions };
}

describe('Chat.start', () => {
  it('asks without a history and stores both turns, with what holds for the rest of the conversation', async () => {
    const { chat, asked, sessions } = createChat();
    const directory = { path: '/project', isOptional: false };
    const settings = {
      systemPrompt: 'be brief',
      tools: 'everything',
      apiKey: 'secret',
      sandbox: true,
    } as const;
    const result = await chat.start({ ...first, model: 'pro', settings, directory }, ignore, never);
    expect(result).toMatchObject({ ok: true, sessionId: 'id-1', notKept: null, answer: { text: 'answer 1' } });
    expect(asked).toEqual([
      {
        owner: 'ann',
        prompt: 'hello',
        history: [],
        mayContinue: true,
        model: 'pro',
        settings,
        directory,
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
        workingDirectory: '/project',
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
      settings: { ...plainRunSettings, systemPrompt: 'be brief' },
    });
  });

  it('changes what it names from now on', async () => {
    const { chat, asked, sessions } = createChat();
    await chat.start({ ...first, model: 'pro' }, ignore, never);
    const change = { model: 'flash', systemPrompt: 'be long', directory: '/project' };
    await chat.reply({ ...next, ...change }, ignore, never);
    await chat.reply(next, ignore, never);
    const settings = { ...plainRunSettings, systemPrompt: 'be long' };
    expect(asked.slice(1).map((question) => [question.model, question.settings, question.directory])).toEqual([
      ['flash', settings, { path: '/project', isOptional: false }],
      // A directory is looked for when it is named; later on the conversation goes on without it.
      ['flash', settings, { path: '/project', isOptional: true }],
    ]);
    expect((await sessions.load('ann', 'id-1', never))?.session).toMatchObject({
      model: 'flash',
      systemPrompt: 'be long',
      workingDirectory: '/project',
    });
  });

  it('uses no directory of a conversation, and changes none, for a caller that may have no files read now', async () => {
    const { chat, asked } = createChat();
    await chat.start({ ...first, directory: { path: '/project', isOptional: false } }, ignore, never);
    await chat.reply({ ...next, mayReadFiles: false, directory: '/other' }, ignore, never);
    await chat.reply({ ...next, roots: ['/project'] }, ignore, never);
    expect(asked.slice(1).map((question) => question.directory)).toEqual([
      undefined,
      { path: '/project', isOptional: true, roots: ['/project'] },
    ]);
  });

  it("takes the owner's newest session if the caller names no session", async () => {
    const { chat, clock } = createChat();
    await chat.start(first, ignore, never);
    await clock.advance(1);
    await chat.start(first, ignore, never);
    await clock.advance(1);
    await chat.start({ ...first, owner: 'bob' }, ignore, never);
    expect(await chat.reply(next, ignore, never)).toMatchObject({ ok: true, sessionId: 'id-2' });
  });

  it.each([
    ['an id that does not exist', 'id-9', 'ann', ['id-7', 'id-6', 'id-5', 'id-4', 'id-3']],
    ["another owner's id", 'id-1', 'bob', []],
    ['no id and no session', null, 'bob', []],
  ])('fails for %s, and lists the newest sessions', async (_, sessionId, owner, ids) => {
    const { chat, clock, asked } = createChat();
    for (let number = 1; number <= 7; number += 1) {
      await chat.start(first, ignore, never);
      await clock.advance(1);
    }
    const result = await chat.reply({ ...next, owner, sessionId }, ignore, never);
    const newest = ids.map((id) => expect.objectContaining({ id, title: 'hello', turns: 2 }));
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
});

describe('replies at once', () => {
  it('are answered one after the other, each with the turns of those before it (LOAD-04)', async () => {
    const { chat, clock, asked } = createChat({ answerMs: 1_000 });
    const started = chat.start(first, ignore, never);
    await clock.advance(1_000);
    await started;
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
    expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000, 60_000, 59_000, 58_000]);
    expect(progress).toEqual([
      { type: 'queued', ahead: 1 },
      { type: 'queued', ahead: 2 },
    ]);
    expect(clock.sleeping).toBe(0);
  });
});
