import { plainRunSettings, type RunEvent, type RunRequest, type ThinkingLevel } from '@gemini-mcp/core';
import { type OfflineGeminiApi, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';
import { wallClock } from './testing/wall-clock.ts';

const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { name: { type: 'string', pattern: '^[a-z]+$' }, kind: { const: 'fox' } },
  required: ['name'],
  if: { required: ['kind'] },
};

describe('the generation config of a request', () => {
  let api: OfflineGeminiApi;
  let runner: ApiGeminiRunner;

  beforeEach(async () => {
    api = await startOfflineGeminiApi({ reply: text(['{"name":"x"}']) });
    const login = { type: 'gemini-key', apiKey: 'AIzaFake-key' } as const;
    runner = new ApiGeminiRunner({ login, geminiBaseUrl: api.url, clock: wallClock });
  });

  afterEach(async () => {
    await runner.close();
    await api.close();
  });

  async function run(request: Partial<RunRequest>): Promise<RunEvent | undefined> {
    const events: RunEvent[] = [];
    const whole = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: wallClock.now() + 60_000, ...request };
    for await (const event of runner.run(whole, new AbortController().signal)) {
      events.push(event);
    }
    return events.at(-1);
  }

  function thinking(level: ThinkingLevel): Partial<RunRequest> {
    return { settings: { ...plainRunSettings, thinking: level } };
  }

  function configsSent(): readonly unknown[] {
    return api.requests.map(({ body }) => Object(body).generationConfig);
  }

  it('is missing if the request sets nothing', async () => {
    await run({});
    expect(configsSent()).toEqual([undefined]);
  });

  it('has the part of the schema that the API takes', async () => {
    expect(await run({ answerSchema: schema })).toMatchObject({ type: 'answer' });
    expect(configsSent()).toEqual([
      {
        responseMimeType: 'application/json',
        responseJsonSchema: {
          type: 'object',
          properties: {
            name: { type: 'string', description: 'In JSON Schema also: {"pattern":"^[a-z]+$"}' },
            kind: { type: 'string', enum: ['fox'] },
          },
          required: ['name'],
        },
      },
    ]);
  });

  it('sets thinking in the terms of each model', async () => {
    expect(await run({ ...thinking('high'), answerSchema: { type: 'object' } })).toMatchObject({ type: 'answer' });
    expect(await run({ ...thinking('medium'), model: 'gemini-3-pro-preview' })).toMatchObject({ type: 'answer' });
    expect(await run({ ...thinking('low'), model: 'gemini-2.5-flash' })).toMatchObject({ type: 'answer' });
    expect(configsSent()).toMatchObject([
      { thinkingConfig: { thinkingLevel: 'HIGH' }, responseMimeType: 'application/json' },
      { thinkingConfig: { thinkingLevel: 'HIGH' } },
      { thinkingConfig: { thinkingBudget: 1_024 } },
    ]);
  });

  it('is refused, and nothing sent, for a model without a thinking setting', async () => {
    const request = { ...thinking('low'), model: 'gemma-4-31b-it' };
    const failure = { kind: 'unsupported', feature: 'thinking' };
    expect(await run(request)).toEqual({ type: 'failure', failure });
    const whole = { ...request, input: 'Why?', deadlineAtMs: wallClock.now() + 60_000 };
    expect(await runner.countTokens(whole, new AbortController().signal)).toEqual({ ok: false, failure });
    expect(api.requests).toEqual([]);
  });

  it('asks at the flexible tier by name, and only if the request says so', async () => {
    const settings = { ...plainRunSettings, serviceTier: 'flexible' } as const;
    expect(await run({ settings })).toMatchObject({ type: 'answer' });
    expect(await run({})).toMatchObject({ type: 'answer' });
    expect(api.requests.at(0)?.body).toHaveProperty('service_tier', 'flex');
    expect(api.requests.at(1)?.body).not.toHaveProperty('service_tier');
  });
});
