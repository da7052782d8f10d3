import { type FakeGeminiApi, modelNotFound, startFakeGeminiApi } from '@gemini-mcp/fake-gemini';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRealCliPlace, type RealCliPlace } from './testing/real-cli-place.ts';

let api: FakeGeminiApi;
let place: RealCliPlace;

beforeAll(async () => {
  api = await startFakeGeminiApi();
});

afterAll(() => api.close());

beforeEach(async () => {
  place = await createRealCliPlace(api);
});

afterEach(async () => expect(await place.dispose()).toEqual([]));

describe('a key of its own', () => {
  it('is the only login of a run, and is never shown', async () => {
    await place.write({ '.gemini/oauth_creds.json': '{"access_token":"ya29.not-this-one"}' });
    const apiKey = 'a-key-of-one-caller/+"x';
    api.reply(({ apiKey: sent }) => modelNotFound(`${sent}`));
    const { outcome, requests } = await place.run({ apiKey });
    expect(requests.map((request) => request.apiKey)).toEqual([apiKey]);
    expect(JSON.stringify(outcome)).toContain('[redacted]');
    expect(JSON.stringify(outcome)).not.toContain('a-key-of-one-caller');
  });
});

it.each(['a\0b', 'two\nlines', 'ключ', '', ' '])('the key %j is no key', async (apiKey) => {
  const { outcome, requests } = await place.run({ apiKey });
  expect(outcome).toMatchObject({ termination: 'not-started', startError: { code: 'spawn-failed' } });
  expect(outcome.startError?.detail).toBe('the API key holds characters that no key holds, or none');
  expect(requests).toEqual([]);
});
