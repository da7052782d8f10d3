import {
  describeStoredRequests,
  type OfflineGeminiApi,
  startOfflineGeminiApi,
  text,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiGeminiRunner } from './api-gemini-runner.ts';
import { ask, collect } from './testing/ask.ts';
import { RunnerPlace } from './testing/runner-place.ts';
import { wallClock } from './testing/wall-clock.ts';

const place = new RunnerPlace();
let api: OfflineGeminiApi;

beforeEach(async () => {
  api = await startOfflineGeminiApi({ reply: text('Because.') });
});

afterEach(() => api.close());

async function bodyAfter(runner: ApiGeminiRunner): Promise<unknown> {
  expect((await collect(ask(runner))).at(-1)).toMatchObject({ type: 'answer' });
  return api.requests.at(-1)?.body;
}

describe('the storing of requests by Google', () => {
  it('is off with a key of the Gemini API', async () => {
    expect(await bodyAfter(place.runnerAt(api.url))).toMatchObject({ store: false });
    expect(describeStoredRequests(api)).toEqual([]);
  });

  it('is left to the project if logs are allowed', async () => {
    expect(await bodyAfter(place.runnerAt(api.url, { allowsGoogleLogs: true }))).not.toHaveProperty('store');
    expect(describeStoredRequests(api)).toEqual([expect.stringMatching(/^a log at Google/)]);
  });

  it('is not mentioned to Vertex AI, which keeps no such logs and rejects the field', async () => {
    const login = { type: 'vertex-key', apiKey: 'AIzaFake-vertex_key_of_the_tests_0000000' } as const;
    expect(await bodyAfter(place.runnerAt(api.url, { login, vertexBaseUrl: api.url }))).not.toHaveProperty('store');
  });

  it('is not mentioned in a request to count, which Google never logs', async () => {
    const request = { model: 'gemini-3.8-flash', input: 'Why?', deadlineAtMs: wallClock.now() + 60_000 };
    const counted = await place.runnerAt(api.url).countTokens(request, new AbortController().signal);
    expect(counted).toMatchObject({ ok: true });
    expect(JSON.stringify(api.requests.at(-1)?.body)).not.toContain('store');
  });
});
