import { text } from 'node:stream/consumers';
import type { TokenCount } from '@gemini-mcp/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';
import type { ApiLogin } from './api-login.ts';
import { RawServer } from './testing/raw-server.ts';
import { wallClock } from './testing/wall-clock.ts';

const apiKey = 'AIzaFake-key_of_the_tests_000000000000';
const project: ApiLogin = {
  type: 'vertex-project',
  project: 'team-1',
  location: 'eu',
  accessToken: async () => ({ ok: true, token: 'token-1' }),
};

describe('countTokens', () => {
  let server: RawServer;
  let arrived: { readonly url: string; readonly login: string; readonly body: unknown }[];
  let answer: { readonly type: string; readonly body: string };

  beforeEach(async () => {
    arrived = [];
    answer = { type: 'application/json; charset=UTF-8', body: '{"totalTokens":7,"promptTokensDetails":[]}' };
    server = await RawServer.start(async (request, response) => {
      const { 'x-goog-api-key': key, authorization } = request.headers;
      arrived.push({ url: `${request.url}`, login: `${key ?? authorization}`, body: JSON.parse(await text(request)) });
      response.setHeader('content-type', answer.type);
      response.end(answer.body);
    });
  });

  afterEach(() => server.close());

  async function count(login: ApiLogin): Promise<TokenCount> {
    const places = { geminiBaseUrl: server.url, vertexBaseUrl: server.url };
    const runner = new ApiGeminiRunner({ login, ...places, clock: wallClock });
    const counted = await runner.countTokens(
      { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: wallClock.now() + 60_000 },
      new AbortController().signal,
    );
    await runner.close();
    return counted;
  }

  const request = {
    systemInstruction: { parts: [{ text: expect.stringContaining('You answer requests') }] },
    contents: [{ role: 'user', parts: [{ text: 'Why?' }] }],
  };

  it('sends the Gemini API the whole request, with its model', async () => {
    expect(await count({ type: 'gemini-key', apiKey })).toEqual({ ok: true, tokens: 7 });
    expect(arrived).toEqual([
      {
        url: '/v1beta/models/gemini-3.8-flash:countTokens',
        login: apiKey,
        body: { generateContentRequest: { model: 'models/gemini-3.8-flash', ...request } },
      },
    ]);
  });

  it('sends Vertex AI the fields of the request', async () => {
    expect(await count(project)).toEqual({ ok: true, tokens: 7 });
    const place = 'projects/team-1/locations/eu/publishers/google';
    expect(arrived).toEqual([
      { url: `/v1beta1/${place}/models/gemini-3.8-flash:countTokens`, login: 'Bearer token-1', body: request },
    ]);
  });

  it.each([
    ['a page of a gateway', 'text/html', '<h1>Welcome</h1>'],
    ['no number', 'application/json', '{"totalTokens":"7"}'],
    ['a number below zero', 'application/json', '{"totalTokens":-1}'],
    ['no JSON', 'application/json', '{'],
    ['null', 'application/json', 'null'],
  ])('rejects %s as a count', async (_, type, body) => {
    answer = { type, body };
    expect(await count({ type: 'gemini-key', apiKey })).toMatchObject({
      ok: false,
      failure: { kind: 'malformed-output' },
    });
  });

  it('reads an error instead of a count, and hides the key in it', async () => {
    const message = `Too many tokens for ${apiKey}.`;
    answer = { type: 'application/json', body: JSON.stringify({ error: { code: 503, message } }) };
    const counted = await count({ type: 'gemini-key', apiKey });
    expect(counted).toMatchObject({ ok: false, failure: { excerpt: expect.stringContaining('Too many tokens') } });
    expect(JSON.stringify(counted)).not.toContain(apiKey);
  });

  it('stops reading an endless body', async () => {
    answer = { type: 'application/json', body: ' '.repeat(10_000_000) };
    expect(await count({ type: 'gemini-key', apiKey })).toMatchObject({ ok: false });
  });
});
