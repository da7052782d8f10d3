import { afterEach, describe, expect, it } from 'vitest';
import { overloaded } from './error-replies.ts';
import { type FakeGeminiApi, startFakeGeminiApi } from './fake-gemini-api.ts';
import { cut, hang, text } from './replies.ts';
import { inOrder } from './reply-scripts.ts';

const MESSAGE = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] };

let api: FakeGeminiApi;

afterEach(() => api.close());

function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = { 'x-goog-api-key': api.environment().GEMINI_API_KEY, 'content-type': 'application/json' };
  return fetch(`${api.url}/v1beta/models/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('startFakeGeminiApi', () => {
  it('answers', async () => {
    api = await startFakeGeminiApi({ reply: inOrder(overloaded(), text(['a', 'b'])) });
    const first = await post('m:generateContent', MESSAGE);
    expect(first.status).toBe(503);
    const second = await post('m:streamGenerateContent?alt=sse', MESSAGE);
    expect(await second.text()).toContain('"finishReason":"STOP"');
    api.reply(cut(['x']));
    await expect(post('m:streamGenerateContent?alt=sse', MESSAGE).then((r) => r.text())).rejects.toThrow('terminated');
    api.reply(hang());
    const c = new AbortController();
    const pending = post('m:generateContent', MESSAGE, c.signal);
    await api.whenRequested(4);
    c.abort();
    await pending.catch(() => {});
    await api.requests[3]?.whenAborted();
    expect(api.requests.map((r) => r.aborted)).toEqual([false, false, false, true]);
  });
});
