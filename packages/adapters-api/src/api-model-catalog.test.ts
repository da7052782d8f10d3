import { type OfflineGeminiApi, startOfflineGeminiApi } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiModelCatalog } from './api-model-catalog.ts';
import { RawServer } from './testing/raw-server.ts';
import { wallClock } from './testing/wall-clock.ts';

const signal = new AbortController().signal;
const apiKey = 'AIzaKeyOfThisTest';
const names = Array.from({ length: 1_700 }, (_, index) => `gemini-${index}`);

describe('ApiModelCatalog', () => {
  let api: OfflineGeminiApi;

  beforeEach(async () => {
    const limits = { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 };
    api = await startOfflineGeminiApi({ models: names.map((name) => ({ name, ...limits })) });
  });
  afterEach(() => api.close());

  it('lists all models, page by page, with the key in a header alone', async () => {
    const catalog = new ApiModelCatalog({
      login: { type: 'gemini-key', apiKey },
      clock: wallClock,
      geminiBaseUrl: `${api.url}/`,
    });
    const list = await catalog.list(signal);
    expect(list.ok && list.models.map(({ name }) => name)).toEqual(names);
    expect(list.ok && list.models[0]).toEqual({
      name: 'gemini-0',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      thinks: true,
      actions: ['generateContent', 'countTokens'],
    });
    expect(api.requests.map(({ path }) => path)).toEqual([
      '/v1beta/models?pageSize=1000',
      '/v1beta/models?pageSize=1000&pageToken=1000',
    ]);
    expect(api.requests.every((request) => request.apiKey === apiKey && !request.path.includes(apiKey))).toBe(true);
  });
});

describe('a server in its place', () => {
  let server: RawServer;
  let answer: { readonly status?: number; readonly type?: string; readonly body: string };
  let requests: number;

  beforeEach(async () => {
    requests = 0;
    server = await RawServer.start((_, response) => {
      requests += 1;
      response.writeHead(answer.status ?? 200, { 'content-type': answer.type ?? 'application/json' });
      response.end(answer.body);
    });
  });
  afterEach(() => server.close());

  const list = (given: AbortSignal = signal) =>
    new ApiModelCatalog({ login: { type: 'gemini-key', apiKey }, clock: wallClock, geminiBaseUrl: server.url }).list(
      given,
    );

  it.each([
    ['an error', { status: 503, body: JSON.stringify({ error: { code: 503, message: 'No.' } }) }, 'overloaded'],
    ['a key that is refused', { status: 403, body: JSON.stringify({ error: { message: apiKey } }) }, 'authentication'],
    ['a page', { type: 'text/html', body: '<html>' }, 'malformed-output'],
    ['no JSON', { body: '{' }, 'malformed-output'],
    ['a list', { body: '[]' }, 'malformed-output'],
    ['no list of models', { body: '{"models":{}}' }, 'malformed-output'],
    ['a list without an end', { body: '{"models":[],"nextPageToken":"x"}' }, 'malformed-output'],
    ['more than a list has', { body: `{"models":[]${' '.repeat(5_000_000)}}` }, 'malformed-output'],
    ['a redirect', { status: 302, body: '' }, 'network'],
  ])('fails if it sends %s', async (_, given, kind) => {
    answer = given;
    const told = await list();
    expect(told).toMatchObject({ ok: false, failure: { kind } });
    expect(JSON.stringify(told)).not.toContain(apiKey);
    expect(requests).toBeLessThanOrEqual(10);
  });

  it('keeps the valid entries among invalid ones', async () => {
    const models = [
      {
        name: 'models/gemini-a',
        inputTokenLimit: '5',
        outputTokenLimit: -1,
        thinking: 'yes',
        supportedGenerationMethods: 1,
      },
      { name: 'models/../secret' },
      { name: 7 },
      null,
      { name: 'models/gemini-a', inputTokenLimit: 5, supportedGenerationMethods: ['generateContent', 8] },
    ];
    answer = { body: JSON.stringify({ models }) };
    expect(await list()).toEqual({
      ok: true,
      models: [
        { name: 'gemini-a', inputTokenLimit: 5, outputTokenLimit: null, thinks: null, actions: ['generateContent'] },
      ],
    });
  });

  it('reports a missing server', async () => {
    const gone = await RawServer.start(() => undefined);
    const { url } = gone;
    await gone.close();
    const catalog = new ApiModelCatalog({
      login: { type: 'gemini-key', apiKey },
      clock: wallClock,
      geminiBaseUrl: url,
    });
    expect(await catalog.list(signal)).toMatchObject({ ok: false, failure: { kind: 'network' } });
  });

  it('stops waiting for an answer on abort', async () => {
    const over = new AbortController();
    const silent = await RawServer.start(() => over.abort());
    const catalog = new ApiModelCatalog({
      login: { type: 'gemini-key', apiKey },
      clock: wallClock,
      geminiBaseUrl: silent.url,
    });
    expect(await catalog.list(over.signal)).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    expect(await catalog.list(over.signal)).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    await silent.allClosed();
    await silent.close();
  });
});
