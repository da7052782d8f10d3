import { FakeClock } from '@gemini-mcp/core/testing';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Question, QuestionOutcome } from './question.ts';
import { createAskingSurface } from './testing/asking-surface.ts';
import { connectWithoutSession, type WayToAsk, waysToAsk } from './testing/ways-to-ask.ts';

const allow: Question = {
  handle: 'allow-push',
  message: 'Run `git push`?',
  choices: [
    { name: 'once', label: 'This time' },
    { name: 'no', label: 'No' },
  ],
};

/** How the user of a client answers, or that the client does not offer to ask. */
type User = ((params: unknown, signal: AbortSignal) => Promise<unknown>) | null;

type Asking = {
  readonly client: Client;
  readonly clock: FakeClock;
  readonly outcomes: readonly unknown[];
  readonly callsEnded: () => Promise<void>;
  /** Calls the tool that asks, and resolves to the outcome. */
  readonly call: (signal?: AbortSignal) => Promise<unknown>;
};

async function setUp(way: WayToAsk, user: User, question: Question = allow): Promise<Asking> {
  const clock = new FakeClock();
  const client = clientOf(user);
  const { surface, outcomes } = createAskingSurface((ask) => ask(question));
  const callsEnded = await way.connect(client, surface, clock);
  return { client, clock, outcomes, callsEnded, call: (signal) => callAsk(client, signal) };
}

function clientOf(user: User): Client {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: user === null ? {} : { elicitation: {} } });
  if (user !== null) {
    // Bypasses the SDK's own handler, which would refuse to send an invalid answer.
    client.fallbackRequestHandler = async ({ method, params }, { signal }) => {
      expect(method).toBe('elicitation/create');
      return z.looseObject({}).parse(await user(params, signal));
    };
  }
  return client;
}

async function callAsk(client: Client, signal?: AbortSignal): Promise<unknown> {
  const { content } = await client.callTool({ name: 'ask' }, undefined, signal === undefined ? {} : { signal });
  return JSON.parse(z.tuple([z.object({ text: z.string() })]).parse(content)[0].text);
}

describe.each(waysToAsk)('a call that asks its client $name', (way) => {
  it('gets the choice of the user', async () => {
    const seen: unknown[] = [];
    const { call, client } = await setUp(way, async (params) => {
      seen.push(ElicitRequestSchema.shape.params.parse(params));
      return { action: 'accept', content: { choice: 'once', injected: 'x' } };
    });
    expect(await call()).toEqual({ type: 'chosen', choice: 'once' });
    expect(seen).toMatchObject([
      {
        message: 'Run `git push`?',
        requestedSchema: {
          type: 'object',
          properties: { choice: { type: 'string', enum: ['once', 'no'], enumNames: ['This time', 'No'] } },
          required: ['choice'],
        },
      },
    ]);
    await client.close();
  });

  it.each([
    [{ action: 'decline' }, { type: 'declined', isAutomatic: true }],
    [{ action: 'cancel' }, { type: 'dismissed', isAutomatic: true }],
    [{ action: 'accept' }, { type: 'unanswered', reason: 'invalid-answer' }],
    [
      { action: 'accept', content: {} },
      { type: 'unanswered', reason: 'invalid-answer' },
    ],
    [
      { action: 'accept', content: { choice: 'always' } },
      { type: 'unanswered', reason: 'invalid-answer' },
    ],
    [
      { action: 'accept', content: { choice: 0 } },
      { type: 'unanswered', reason: 'invalid-answer' },
    ],
    [{ action: 'yes' }, { type: 'unanswered', reason: 'invalid-answer' }],
    [{}, { type: 'unanswered', reason: 'invalid-answer' }],
  ])('ASK-01: takes %j for %j', async (answer, outcome) => {
    const { call, client } = await setUp(way, async () => answer);
    expect(await call()).toEqual(outcome);
    await client.close();
  });

  it('learns that the client has failed', async () => {
    const { call, client } = await setUp(way, () => Promise.reject(new Error('the window is gone')));
    expect(await call()).toEqual({ type: 'unanswered', reason: 'client-failed' });
    await client.close();
  });

  it('learns that the client offers nothing', async () => {
    const { call, client } = await setUp(way, null);
    expect(await call()).toMatchObject({ type: 'cannot-ask', reason: 'client-cannot' });
    await client.close();
  });

  it('ASK-02: waits five minutes for a silent client, and then takes the question back', async () => {
    const asked = signalled();
    const takenBack = signalled();
    const { call, client, clock } = await setUp(way, (_params, signal) => {
      signal.addEventListener('abort', takenBack.tell);
      asked.tell();
      return new Promise(() => undefined);
    });
    const outcome = call();
    await asked.told;
    await clock.advance(299_999);
    await clock.advance(1);
    expect(await outcome).toEqual({ type: 'unanswered', reason: 'timed-out' });
    await takenBack.told;
    await client.close();
  });

  it('ASK-02: that is cancelled takes the question back', async () => {
    const asked = signalled();
    const takenBack = signalled();
    const { call, client, outcomes, callsEnded, clock } = await setUp(way, (_params, signal) => {
      signal.addEventListener('abort', takenBack.tell);
      asked.tell();
      return new Promise(() => undefined);
    });
    const cancelling = new AbortController();
    const outcome = call(cancelling.signal);
    await asked.told;
    cancelling.abort();
    await expect(outcome).rejects.toThrow();
    await takenBack.told;
    await expect.poll(() => outcomes).toEqual([{ type: 'unanswered', reason: 'cancelled' }]);
    await client.close();
    await callsEnded();
    expect(clock.sleeping).toBe(0);
  });

  it('ASK-02: ends when the client disappears', async () => {
    const asked = signalled();
    const { call, client, outcomes, callsEnded } = await setUp(way, () => {
      asked.tell();
      return new Promise(() => undefined);
    });
    const outcome = call();
    await asked.told;
    const refused = expect(outcome).rejects.toThrow();
    await client.close();
    await refused;
    await expect.poll(() => outcomes).toEqual([{ type: 'unanswered', reason: 'cancelled' }]);
    await callsEnded();
  });
});

describe('a call that asks', () => {
  it('over HTTP without sessions learns that nothing can be asked there', async () => {
    const client = clientOf(async () => ({ action: 'accept', content: { choice: 'once' } }));
    const { surface } = createAskingSurface((ask) => ask(allow));
    await connectWithoutSession(client, surface);
    expect(await callAsk(client)).toMatchObject({ type: 'cannot-ask', reason: 'transport-cannot' });
  });

  it('under one handle twice asks the user once', async () => {
    let asked = 0;
    const outcomes = await askOf(
      async (ask) => [await ask(allow), await ask(allow), await ask({ ...allow, handle: 'other' })],
      async () => {
        asked += 1;
        return { action: 'accept', content: { choice: 'no' } };
      },
    );
    expect(outcomes).toEqual(Array.from({ length: 3 }, () => ({ type: 'chosen', choice: 'no' })));
    expect(asked).toBe(2);
  });

  it('ASK-03: asks twenty questions at most', async () => {
    const outcomes = await askOf(
      (ask) => Promise.all(Array.from({ length: 25 }, (_, index) => ask({ ...allow, handle: `q${index}` }))),
      async () => ({ action: 'decline' }),
    );
    expect(
      z
        .array(z.object({ type: z.string() }))
        .parse(outcomes)
        .map(({ type }) => type),
    ).toEqual([...Array.from({ length: 20 }, () => 'declined'), ...Array.from({ length: 5 }, () => 'cannot-ask')]);
  });

  it('after its end asks no more', async () => {
    let late: Promise<QuestionOutcome> | null = null;
    let ended = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      ended = resolve;
    });
    await askOf(
      async (ask) => {
        late = over.then(() => ask(allow));
        return { type: 'declined' };
      },
      async () => ({ action: 'accept', content: { choice: 'once' } }),
    );
    ended();
    expect(await late).toMatchObject({ type: 'cannot-ask', reason: 'call-over' });
  });

  it.each<Question>([
    { handle: 'no choices', message: 'x', choices: [] },
    { handle: 'a', message: ' ', choices: allow.choices },
    { handle: 'a', message: 'x', choices: [...allow.choices, { name: 'once', label: 'Again' }] },
    { handle: 'a', message: 'x', fields: [] },
    { handle: 'a', message: 'x', fields: [{ name: '__proto__', label: 'x', type: 'yes-no' }] },
    { handle: 'a', message: 'x', fields: [{ name: 'a', label: 'x', type: 'choice', choices: [] }] },
  ])('ASK-03: what no form can hold learns that: %j', async (question) => {
    const outcome = await askOf(
      (ask) => ask(question),
      () => Promise.reject(new Error('nothing is to be asked')),
    );
    expect(outcome).toMatchObject({ type: 'cannot-ask', reason: 'invalid-question' });
  });

  it('ASK-03: shows the user nothing that acts on a terminal, and cuts long texts', async () => {
    const seen: unknown[] = [];
    const question = { ...allow, message: `\u001b[2J\u202e${'x'.repeat(5_000)}` };
    await askOf(
      (ask) => ask(question),
      async (params) => {
        seen.push(params);
        return { action: 'decline' };
      },
    );
    expect(seen).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^\\u\{1b\}\[2J\\u\{202e\}x+…$/) }),
    ]);
    expect(JSON.stringify(seen).length).toBeLessThan(2_500);
  });
});

async function askOf(run: Parameters<typeof createAskingSurface>[0], user: NonNullable<User>): Promise<unknown> {
  const [inMemory] = waysToAsk;
  const client = clientOf(user);
  await inMemory?.connect(client, createAskingSurface(run).surface, new FakeClock());
  return callAsk(client);
}

function signalled(): { readonly told: Promise<void>; readonly tell: () => void } {
  let tell = (): void => undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  return { told, tell: () => tell() };
}
