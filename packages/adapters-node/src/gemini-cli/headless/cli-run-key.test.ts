import { modelNotFound } from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { useRealCliPlace } from '../testing/real-cli-place.ts';

describe.each(['warm', 'headless'] as const)('%s: a key of its own', (kind) => {
  const given = useRealCliPlace(kind);

  it('is the only login of a run, and is never shown', async () => {
    await given.place.write({ '.gemini/oauth_creds.json': '{"access_token":"ya29.not-this-one"}' });
    const apiKey = 'a-key-of-one-caller/+"x';
    given.api.reply(({ apiKey: sent }) => modelNotFound(`${sent}`));
    const { failure, requests } = await given.place.run({ apiKey });
    expect(requests.map((request) => request.apiKey)).toEqual([apiKey]);
    expect(JSON.stringify(failure)).toContain('[redacted]');
    expect(JSON.stringify(failure)).not.toContain('a-key-of-one-caller');
  });

  it.each(['a\0b', 'two\nlines', 'ключ', '', ' '])('%j is not usable', async (apiKey) => {
    const { failure, requests } = await given.place.run({ apiKey });
    expect(failure).toEqual({
      kind: 'crashed',
      detail: 'was not started',
      excerpt: 'the API key is empty or has characters that are not allowed in a key',
    });
    expect(requests).toEqual([]);
  });
});
