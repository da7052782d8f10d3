import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AskResult } from '../answers/ask-result.ts';
import type { AskRequest } from '../ask-gemini/ask-request.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { SessionRecords } from '../session/session-records.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { Chat } from './chat.ts';
import { capable } from './testing/chat-samples.ts';

const never = new AbortController().signal;
const owner = 'ann';
const sessionIds = ['s0', 's1'];

type Move = {
  /** Which server process it comes to. */
  readonly server: number;
  readonly session: number;
  readonly pauseMs: number;
  readonly answerMs: number;
  readonly fails: boolean;
};

function movesOf(servers: number): fc.Arbitrary<Move[]> {
  const move = fc.record({
    server: fc.nat(servers - 1),
    session: fc.nat(sessionIds.length - 1),
    pauseMs: fc.nat(3),
    answerMs: fc.nat(5),
    fails: fc.boolean(),
  });
  return fc.array(move, { maxLength: 12 });
}

/** Every answer names its question, so that turns which do not belong together show. */
async function answer({ prompt, timeoutMs }: AskRequest, fails: boolean): Promise<AskResult> {
  const text = `re ${prompt}`;
  return fails
    ? {
        ok: false,
        failed: { failure: { kind: 'timeout' }, attempts: [], partialText: '', context: null, timeoutMs },
      }
    : { ok: true, answer: { text, model: 'pro', attempts: [], usage: [], context: null } };
}

async function textsOf(store: SessionStore, id: string): Promise<readonly string[]> {
  return ((await store.load(owner, id, never))?.session.turns ?? []).map(({ text }) => text);
}

/** Plays the moves on as many servers over one store; `look` sees each question with the stored session at that time. */
async function play(
  servers: number,
  moves: readonly Move[],
  look: (history: readonly string[], stored: readonly string[]) => void,
) {
  const clock = new FakeClock();
  const store = new SessionRecords();
  let created = 0;
  const chats = Array.from({ length: servers }, () => {
    const askGemini = {
      async ask(request: AskRequest) {
        const [session = '', number = 'none'] = request.prompt.split(' ');
        const move = moves[Number(number)];
        look(
          (request.history ?? []).map(({ text }) => text),
          await textsOf(store, session),
        );
        await clock.sleep(move?.answerMs ?? 0, never);
        return answer(request, move?.fails ?? false);
      },
    };
    const createId = () => sessionIds[created++] ?? '';
    return new Chat({ clock, sessions: store, askGemini, runner: capable, createId });
  });
  for (const prompt of sessionIds) {
    await chats[0]?.start(
      { owner, prompt, model: null, settings: plainRunSettings, timeoutMs: 60_000 },
      () => undefined,
      never,
    );
  }
  const kept: string[][] = sessionIds.map((id) => [id, `re ${id}`]);
  const replies: Promise<void>[] = [];
  for (const [number, { server, session, pauseMs }] of moves.entries()) {
    const sessionId = sessionIds[session] ?? '';
    const prompt = `${sessionId} ${number}`;
    const request = { owner, sessionId, prompt, model: null, systemPrompt: null, directory: null, timeoutMs: 60_000 };
    const reply = chats[server]
      ?.reply(request, () => undefined, never)
      .then((result) => {
        if (result.ok) {
          expect(result.notKept).toBeNull();
          kept[session]?.push(prompt, `re ${prompt}`);
        }
      });
    replies.push(reply ?? Promise.resolve());
    await clock.advance(pauseMs);
  }
  await clock.advance(60_000);
  await Promise.all(replies);
  const stored = await Promise.all(sessionIds.map((id) => textsOf(store, id)));
  return { kept, stored, sleeping: clock.sleeping };
}

it('sends the stored turns, and stores every exchange whole, in the order of the answers', async () => {
  await fc.assert(
    fc.asyncProperty(movesOf(1), async (moves) => {
      const { kept, stored, sleeping } = await play(1, moves, (history, texts) => expect(history).toEqual(texts));
      expect(stored).toEqual(kept);
      expect(sleeping).toBe(0);
    }),
    { numRuns: 100 },
  );
});

it('loses and mixes no turn either when two servers reply to one session', async () => {
  await fc.assert(
    fc.asyncProperty(movesOf(2), async (moves) => {
      const { kept, stored } = await play(2, moves, (history, texts) =>
        expect(texts.slice(0, history.length)).toEqual(history),
      );
      for (const [index, texts] of stored.entries()) {
        const questions = texts.filter((_, place) => place % 2 === 0);
        expect(texts).toEqual(questions.flatMap((question) => [question, `re ${question}`]));
        expect([...texts].sort()).toEqual([...(kept[index] ?? [])].sort());
      }
    }),
    { numRuns: 100 },
  );
});
