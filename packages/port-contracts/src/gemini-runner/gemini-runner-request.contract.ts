import { plainInstruction, plainRunSettings, type RunRequest } from '@gemini-mcp/core';
import { expect } from 'vitest';
import { expectSameText } from '../expect-same-text.ts';
import { collectEvents, endOf, failureOf } from '../runner-places/collect-events.ts';
import {
  type CarriedContext,
  type GeminiRunnerHarness,
  type GeminiRunnerSubject,
  manyRuns,
} from './gemini-runner-harness.ts';

const models = ['gemini-2.5-flash', 'gemini-2.5-pro'] as const;
const callKey = 'AIzaContract-key_of_one_call_0123456789';
const otherKey = 'AIzaContract-key_of_another_0123456789ab';

/** The promises for the other parts of a request: the model, the key, the settings. */
export function describeGeminiRunnerRequest({ proof, open }: GeminiRunnerSubject): void {
  proof.promise('uses the model of each request, also in parallel requests', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    const ends = await Promise.all(
      models.map(async (model) => endOf(await collectEvents(harness, { model, input: model }))),
    );
    expect(ends).toMatchObject(models.map((modelVersion) => ({ type: 'answer', modelVersion })));
    const carried = seenByMessage(harness);
    if (carried !== null) {
      expect(
        models.map((model) => carried.get(model)?.model),
        'the requested models',
      ).toEqual(models);
    }
  });

  proof.promise(
    'uses the API key of each request for that request only, also in parallel requests',
    async () => {
      const harness = await open({ type: 'answer', chunks: ['ok'] });
      if (!harness.runner.capabilities.keyOfCall) {
        return proof.skip('declares no key of a call');
      }
      const keys = { first: null, one: callKey, other: otherKey, last: null };
      const ask = async (input: keyof typeof keys): Promise<void> => {
        const settings = { ...plainRunSettings, apiKey: keys[input] };
        expect(failureOf(await collectEvents(harness, { input, settings }))).toBeNull();
      };
      await ask('first');
      await Promise.all([ask('one'), ask('other')]);
      await ask('last');
      const carried = seenByMessage(harness) ?? proof.skip('what reaches the model is not seen here');
      const [first, one, other, last] = Object.keys(keys).map((input) => carried.get(input)?.apiKey);
      expect({ one, other }, 'the keys in use').toEqual({ one: callKey, other: otherKey });
      expect([callKey, otherKey], 'keys that a request without a key must not use').not.toContain(first);
      expect(last, 'the key of a request without one, after others').toEqual(first);
    },
    manyRuns,
  );

  proof.promise('uses the system prompt of each request, or the plain instruction without one', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    if (!harness.runner.capabilities.systemPrompt) {
      return proof.skip('sets no system prompt');
    }
    const systemPrompt = `canary ${'of a long system prompt '.repeat(1_000)}and its end`;
    for (const input of ['before', 'with', 'after']) {
      const settings = { ...plainRunSettings, systemPrompt: input === 'with' ? systemPrompt : null };
      expect(failureOf(await collectEvents(harness, { input, settings }))).toBeNull();
    }
    const carried = harness.carried?.() ?? proof.skip('what reaches the model is not seen here');
    const [before, brought, after] = carried.map((one) => one.systemPrompt);
    expectSameText(brought ?? '', systemPrompt);
    expect(before, 'the system prompt of the request before').toBe(plainInstruction);
    expect(after, 'the system prompt of the next request').toBe(plainInstruction);
  });

  proof.promise('changes neither a request nor its own capabilities', async () => {
    const harness = await open({ type: 'answer', chunks: ['ok'] });
    const { runner } = harness;
    const capabilities = structuredClone(runner.capabilities);
    const request = fullRequest(harness);
    const before = structuredClone(request);
    expect(failureOf(await collectEvents(harness, request))).toBeNull();
    expect(request, 'the request after its run').toEqual(before);
    expect(runner.capabilities, 'the capabilities after a run').toEqual(capabilities);
  });
}

/** What reached the model with each message. */
function seenByMessage(harness: GeminiRunnerHarness): ReadonlyMap<string, CarriedContext> | null {
  const carried = harness.carried?.();
  if (carried === undefined) {
    return null;
  }
  const messages = harness.received();
  return new Map(carried.map((one, index) => [messages[index] ?? '', one]));
}

/** A request that uses every declared feature except tools. */
function fullRequest({ runner: { capabilities } }: GeminiRunnerHarness): Partial<RunRequest> {
  const [mediaType] = capabilities.mediaTypes;
  return {
    input: ' a message ',
    history: capabilities.resume
      ? [
          { role: 'user', text: ' before ' },
          { role: 'model', text: ' known ' },
        ]
      : [],
    ...(mediaType !== undefined && { media: [{ path: 'a', mediaType, bytes: Uint8Array.of(1, 2, 3) }] }),
    settings: { ...plainRunSettings, systemPrompt: capabilities.systemPrompt ? ' Be terse. ' : null },
  };
}
