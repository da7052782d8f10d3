import { InMemoryRecordStore } from '@gemini-mcp/core';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isJsonObject } from '../../input/request-params.ts';
import type { JsonObject } from '../../input/tool-input.ts';
import type { QuestionOutcome } from '../../questions/question.ts';
import type { Surface } from '../../surface/surface.ts';
import { callerNamed, messagesOf } from '../testing/http-caller.ts';
import { connectModern, type ModernClient, modernRequest } from '../testing/modern-caller.ts';
import { metaKeys } from './envelope.ts';

/** A tool that asks for each of these words in turn, and returns the outcomes. */
const surface: Surface = {
  prompts: [],
  resources: [],
  tools: [
    {
      name: 'ask',
      title: 'Ask',
      description: 'Asks',
      input: z.strictObject({ words: z.array(z.string()), mark: z.record(z.string(), z.number()).optional() }),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      run: async (args, { ask, signal }) => {
        const outcomes: QuestionOutcome[] = [];
        for (const word of z.object({ words: z.array(z.string()) }).parse(args).words) {
          begun += 1;
          const choices = [
            { name: 'yes', label: 'Yes' },
            { name: 'no', label: 'No' },
          ];
          outcomes.push(await ask({ handle: word, message: word, choices }, signal));
        }
        endings.push(signal.aborted ? 'aborted' : 'finished');
        return { text: JSON.stringify(outcomes), isError: false };
      },
    },
  ],
};

/** Questions begun by all servers of a test. */
let begun = 0;

/** How the runs of all servers of a test ended. */
let endings: string[] = [];

beforeEach(() => {
  begun = 0;
  endings = [];
});

type Asked = { readonly id: string; readonly message: string; readonly requestState: string };

function readQuestion({ result }: JsonObject): Asked {
  const { inputRequests } = z
    .object({
      resultType: z.literal('input_required'),
      inputRequests: z.record(
        z.string(),
        z.object({ method: z.literal('elicitation/create'), params: z.looseObject({ message: z.string() }) }),
      ),
    })
    .parse(result);
  const { requestState } = z.object({ requestState: z.string() }).parse(result);
  const [[id, { params }] = ['', { params: { message: '' } }]] = Object.entries(inputRequests);
  return { id, message: params.message, requestState };
}

const accept = (choice: string): JsonObject => ({ action: 'accept', content: { choice } });
const callOf = (...words: readonly string[]): JsonObject => ({ name: 'ask', arguments: { words } });
const answerTo = ({ id, requestState }: Asked, response: unknown): JsonObject => ({
  requestState,
  inputResponses: { [id]: response },
});

/** The outcomes in an answer, or its error. */
function outcomesOf(answer: JsonObject): unknown {
  const { content } = isJsonObject(answer['result']) ? answer['result'] : {};
  const [{ text } = { text: '' }] = z
    .array(z.object({ text: z.string() }))
    .catch([])
    .parse(content);
  return text === '' ? answer['error'] : JSON.parse(text);
}

const yes = { type: 'chosen', choice: 'yes' };
const refused = { code: -32602, message: expect.stringContaining('requestState') };

describe('a call that asks', () => {
  it('returns its question, and goes on with the answer', async () => {
    const { ask } = connectModern(surface);
    const question = readQuestion(await ask('tools/call', callOf('really')));
    expect(question.message).toBe('really');
    expect(outcomesOf(await ask('tools/call', { ...callOf('really'), ...answerTo(question, accept('yes')) }))).toEqual([
      yes,
    ]);
    expect(begun).toBe(1);
  });

  it('asks several questions, one after the other', async () => {
    const { ask } = connectModern(surface);
    let answer = await ask('tools/call', callOf('a', 'b', 'c'));
    for (const word of ['a', 'b', 'c']) {
      const question = readQuestion(answer);
      expect(question.message).toBe(word);
      answer = await ask('tools/call', { ...callOf('a', 'b', 'c'), ...answerTo(question, accept('yes')) });
    }
    expect(outcomesOf(answer)).toEqual([yes, yes, yes]);
    expect(begun).toBe(3);
  });

  it.each([
    [{ action: 'decline' }, { type: 'declined', isAutomatic: true }],
    [{ action: 'cancel' }, { type: 'dismissed', isAutomatic: true }],
    [{ action: 'accept' }, { type: 'unanswered', reason: 'invalid-answer' }],
    ['yes', { type: 'unanswered', reason: 'invalid-answer' }],
    [null, { type: 'unanswered', reason: 'invalid-answer' }],
  ])('takes the answer %j for %j', async (response, outcome) => {
    const { ask } = connectModern(surface);
    const question = readQuestion(await ask('tools/call', callOf('a')));
    expect(outcomesOf(await ask('tools/call', { ...callOf('a'), ...answerTo(question, response) }))).toEqual([outcome]);
  });

  it('asks again if the answer is missing', async () => {
    const { ask } = connectModern(surface);
    const { id, requestState } = readQuestion(await ask('tools/call', callOf('a')));
    const again = readQuestion(
      await ask('tools/call', { ...callOf('a'), requestState, inputResponses: { other: accept('yes') } }),
    );
    expect(again.id).toBe(id);
    expect(outcomesOf(await ask('tools/call', { ...callOf('a'), ...answerTo(again, accept('yes')) }))).toEqual([yes]);
  });

  it('finds its question again in arguments of another order', async () => {
    const { ask } = connectModern(surface);
    const question = readQuestion(
      await ask('tools/call', { name: 'ask', arguments: { words: ['a'], mark: { x: 1, y: 2 } } }),
    );
    const again = {
      arguments: { mark: { y: 2, x: 1 }, words: ['a'] },
      name: 'ask',
      ...answerTo(question, accept('yes')),
    };
    expect(outcomesOf(await ask('tools/call', again))).toEqual([yes]);
  });

  it('asks on after a long answer', async () => {
    const { ask } = connectModern(surface);
    let answer = await ask('tools/call', callOf('a', 'b', 'c'));
    for (const word of ['a', 'b', 'c']) {
      const question = readQuestion(answer);
      expect([question.message, question.requestState.length < 100_000]).toEqual([word, true]);
      const long = { ...accept('yes'), more: 'x'.repeat(100_000) };
      answer = await ask('tools/call', { ...callOf('a', 'b', 'c'), ...answerTo(question, long) });
    }
    expect(outcomesOf(answer)).toEqual([yes, yes, yes]);
  });

  it('is refused the question if its caller has left many open, and other callers are not', async () => {
    const { ask, send } = connectModern(surface);
    for (const _ of Array.from({ length: 50 })) {
      readQuestion(await ask('tools/call', callOf('a')));
    }
    expect(outcomesOf(await ask('tools/call', callOf('a')))).toMatchObject([{ reason: 'too-many-questions' }]);
    const [ofBob] = await messagesOf(
      await send(modernRequest(1, 'tools/call', callOf('a')), {}, callerNamed('bob', surface)),
    );
    readQuestion(isJsonObject(ofBob) ? ofBob : {});
  });

  it('says that it cannot ask a client without elicitation', async () => {
    const { ask } = connectModern(surface);
    const answer = await ask('tools/call', callOf('a'), {
      [metaKeys.clientCapabilities]: { elicitation: { url: {} } },
    });
    expect(outcomesOf(answer)).toMatchObject([{ type: 'cannot-ask', reason: 'client-cannot' }]);
  });

  it('keeps its result for a client that comes back after the question has expired', async () => {
    const { ask, clock } = connectModern(surface);
    const question = readQuestion(await ask('tools/call', callOf('a')));
    await clock.advance(300_000);
    const late = await ask('tools/call', { ...callOf('a'), ...answerTo(question, accept('yes')) });
    expect(outcomesOf(late)).toEqual([{ type: 'unanswered', reason: 'timed-out' }]);
  });
});

describe('a requestState', () => {
  /** A question, and ways to bring its state back. */
  async function setUp(): Promise<ModernClient & { question: Asked; bring: (more?: JsonObject) => Promise<unknown> }> {
    const client = connectModern(surface);
    const question = readQuestion(await client.ask('tools/call', callOf('a')));
    const bring = async (more: JsonObject = {}): Promise<unknown> =>
      outcomesOf(await client.ask('tools/call', { ...callOf('a'), ...answerTo(question, accept('yes')), ...more }));
    return { ...client, question, bring };
  }

  it('is taken once', async () => {
    const { bring } = await setUp();
    expect(await bring()).toEqual([yes]);
    expect(await bring()).toMatchObject(refused);
    expect(begun).toBe(1);
  });

  it.each([
    ['altered', (state: string) => state.replace(/^./u, (first) => (first === 'a' ? 'b' : 'a'))],
    ['cut', (state: string) => state.slice(0, -1)],
    ['longer by a part', (state: string) => `${state}.e30`],
    ['unsigned', (state: string) => state.split('.')[0]],
    ['empty', () => ''],
    ['a number', () => 7],
    ['an object', () => ({})],
    ['huge', (state: string) => state.repeat(1_000)],
  ])('that is %s is refused', async (_, change) => {
    const { bring, question } = await setUp();
    expect(await bring({ requestState: change(question.requestState) })).toMatchObject(refused);
    expect(await bring()).toEqual([yes]);
  });

  it('of other arguments is refused', async () => {
    const { bring } = await setUp();
    expect(await bring(callOf('rm -rf'))).toMatchObject(refused);
  });

  it('of another caller is refused', async () => {
    const { send, question } = await setUp();
    const body = modernRequest(1, 'tools/call', { ...callOf('a'), ...answerTo(question, accept('yes')) });
    const [answer] = await messagesOf(await send(body, {}, callerNamed('bob', surface)));
    expect(answer).toMatchObject({ error: refused });
  });

  it('of yesterday is refused', async () => {
    const { bring, clock } = await setUp();
    await clock.advance(24 * 3_600_000);
    expect(await bring()).toMatchObject(refused);
  });

  it('of another server is refused', async () => {
    const { question } = await setUp();
    const { ask } = connectModern(surface);
    const answer = await ask('tools/call', { ...callOf('a'), ...answerTo(question, accept('yes')) });
    expect(answer['error']).toMatchObject(refused);
  });

  it('is taken by another process that shares the open questions, which asks nothing twice', async () => {
    const shared = new InMemoryRecordStore();
    const records = (): Promise<InMemoryRecordStore> => Promise.resolve(shared);
    const [before, after] = [connectModern(surface, { records }), connectModern(surface, { records })];
    const first = readQuestion(await before.ask('tools/call', callOf('a', 'b')));
    const second = readQuestion(
      await before.ask('tools/call', { ...callOf('a', 'b'), ...answerTo(first, accept('no')) }),
    );
    const last = { ...callOf('a', 'b'), ...answerTo(second, accept('yes')) };
    expect(outcomesOf(await after.ask('tools/call', last))).toEqual([{ type: 'chosen', choice: 'no' }, yes]);
    expect(outcomesOf(await after.ask('tools/call', last))).toMatchObject(refused);
    expect(outcomesOf(await before.ask('tools/call', last))).toMatchObject(refused);
  });

  it('is taken by a server that starts after this one has ended', async () => {
    const shared = new InMemoryRecordStore();
    const records = (): Promise<InMemoryRecordStore> => Promise.resolve(shared);
    const before = connectModern(surface, { records });
    const question = readQuestion(await before.ask('tools/call', callOf('a')));
    before.endpoint.close();
    await before.endpoint.callsEnded();
    expect(endings).toEqual(['aborted']);
    const after = connectModern(surface, { records });
    const answer = await after.ask('tools/call', { ...callOf('a'), ...answerTo(question, accept('yes')) });
    expect(outcomesOf(answer)).toEqual([yes]);
  });

  it('keeps no server from ending while its user thinks', async () => {
    const { ask, endpoint } = connectModern(surface);
    readQuestion(await ask('tools/call', callOf('a')));
    await endpoint.callsEnded();
    expect(endings).toEqual([]);
    endpoint.close();
  });

  it('lets a run end whose question another process has taken', async () => {
    const shared = new InMemoryRecordStore();
    const records = (): Promise<InMemoryRecordStore> => Promise.resolve(shared);
    const [before, after] = [connectModern(surface, { records }), connectModern(surface, { records })];
    const question = readQuestion(await before.ask('tools/call', callOf('a', 'b')));
    readQuestion(await after.ask('tools/call', { ...callOf('a', 'b'), ...answerTo(question, accept('yes')) }));
    await before.clock.advance(300_000);
    await before.endpoint.callsEnded();
    expect(endings).toEqual(['aborted']);
  });
});
