import { describe, expect, it } from 'vitest';
import type { AskResult } from '../answers/ask-result.ts';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import { SessionRecords } from '../session/session-records.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { Chat } from './chat.ts';
import { answered, capable, failedWith, first, ignore, never, next, numberedIds } from './testing/chat-samples.ts';

type Question = { readonly request: AskRequest; readonly index: number; readonly clock: FakeClock };

type Answer = (question: Question, signal: AbortSignal) => Promise<AskResult> | AskResult;

/** Each answer takes a second. */
async function answerSlowly({ index, clock }: Question, signal: AbortSignal): Promise<AskResult> {
  await clock.sleep(1_000, signal);
  return answered(`answer ${index}`);
}

/** A chat with sessions whose ids are numbered, and what it asked. */
function createChat(answer: Answer = answerSlowly) {
  const clock = new FakeClock(1_000);
  const asked: AskRequest[] = [];
  const chat = new Chat({
    clock,
    sessions: new SessionRecords(),
    askGemini: {
      async ask(request, _onProgress, signal) {
        asked.push(request);
        return answer({ request, index: asked.length, clock }, signal);
      },
    },
    runner: capable,
    createId: numberedIds(),
  });
  return { chat, clock, asked };
}

async function begin({ chat, clock }: ReturnType<typeof createChat>): Promise<void> {
  const started = chat.start(first, ignore, never);
  await clock.advance(1_000);
  await started;
}

describe('replies at once', () => {
  it('run side by side on different sessions', async () => {
    const created = createChat();
    await begin(created);
    await begin(created);
    const { chat, clock } = created;
    const replies = ['id-1', 'id-2'].map((sessionId) => chat.reply({ ...next, sessionId }, ignore, never));
    await clock.advance(1_000);
    expect((await Promise.all(replies)).map(({ ok }) => ok)).toEqual([true, true]);
  });

  it('end when their time is over, whether they wait or have just had their turn', async () => {
    const created = createChat();
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
    const created = createChat(async (question, signal) => {
      const answer = await answerSlowly(question, signal);
      const { index, request } = question;
      return index < 3 ? answer : failedWith(request.timeoutMs);
    });
    await begin(created);
    const replies = [1, 2].map(() => created.chat.reply({ ...next, sessionId: 'id-1' }, ignore, never));
    await created.clock.advance(2_000);
    expect(created.asked.at(-1)?.timeoutMs).toBe(59_000);
    expect(await replies[1]).toMatchObject({ ok: false, failed: { timeoutMs: 60_000 } });
  });

  it('end as soon as they are cancelled, and make way for the next', async () => {
    const created = createChat();
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
    const created = createChat();
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
    const { chat } = createChat(({ index }) => {
      if (index === 2) {
        throw new Error('broken');
      }
      return answered('fine');
    });
    await chat.start(first, ignore, never);
    await expect(chat.reply(next, ignore, never)).rejects.toThrow('broken');
    expect(await chat.reply(next, ignore, never)).toMatchObject({ ok: true });
  });
});
