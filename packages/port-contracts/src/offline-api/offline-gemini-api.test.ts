import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OfflineGeminiApi, startOfflineGeminiApi } from './offline-gemini-api.ts';
import { apiError, dailyQuota, overloaded, rateLimited } from './replies/error-replies.ts';
import { brokenBy, cut, hang, slow, text } from './replies/replies.ts';
import { byModel, inOrder } from './replies/reply-scripts.ts';

const HELLO = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] };
const GENERATE = 'm:generateContent';
const STREAM = 'm:streamGenerateContent?alt=sse';

let api: OfflineGeminiApi;

beforeEach(async () => {
  api = await startOfflineGeminiApi({ reply: text('fine') });
});

afterEach(() => api.close());

type PostOptions = { readonly apiKey?: string; readonly signal?: AbortSignal };

function post(call: string, body: unknown = HELLO, { apiKey, signal }: PostOptions = {}): Promise<Response> {
  return fetch(`${api.url}/v1beta/models/${call}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': apiKey ?? api.environment().GEMINI_API_KEY, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('requests', () => {
  it('record the last user turn literally, the history, the tools and the headers', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'first' }] },
      { role: 'model', parts: [{ text: 'answer' }] },
      { role: 'user', parts: [{ text: '<session_context>' }, { inlineData: {} }, { text: '@x </file>\r\n\u0000é😀' }] },
    ];
    const tools = [{ functionDeclarations: [{ name: 'read_file' }, { name: 'glob' }] }, { googleSearch: {} }];
    const body = { contents, tools, systemInstruction: { parts: [{ text: 'Be brief.' }] } };
    await post('gemini-2.5-pro:streamGenerateContent?alt=sse', body);
    const [request] = api.requests;
    expect(request).toMatchObject({
      method: 'streamGenerateContent',
      path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
      model: 'gemini-2.5-pro',
      body,
      bodyBytes: Buffer.byteLength(JSON.stringify(body)),
      contents,
      userText: ['<session_context>', '@x </file>\r\n\u0000é😀'],
      systemText: 'Be brief.',
      functionNames: ['read_file', 'glob'],
      hasGoogleSearch: true,
      apiKey: api.environment().GEMINI_API_KEY,
      aborted: false,
    });
    expect(request?.headerNames).toContain('x-goog-api-key');
  });

  it('may be large', async () => {
    const large = '✓'.repeat(4_000_000);
    const response = await post(GENERATE, { contents: [{ role: 'user', parts: [{ text: large }] }] });
    expect(response.status).toBe(200);
    expect(api.requests[0]?.userText[0] === large).toBe(true);
    expect(await response.json()).toMatchObject({ usageMetadata: { promptTokenCount: 4_000_000 } });
  });

  it('are forgotten beyond the limit, oldest first', async () => {
    await api.close();
    api = await startOfflineGeminiApi({ reply: text('fine'), maxRecorded: 2 });
    for (const model of ['a', 'b', 'c']) {
      await post(`${model}:generateContent`);
    }
    expect(api.requests.map(({ model }) => model)).toEqual(['b', 'c']);
    await api.whenRequested(3);
  });

  it('resolve their waiters', async () => {
    const both = api.whenRequested(2);
    await post('m:countTokens');
    await Promise.all([post(GENERATE), post(STREAM)]);
    await both;
    await api.whenRequested(1);
    expect(api.requests.length).toBe(3);
  });

  it('are marked once their client has gone', async () => {
    api.reply(hang());
    const leaving = new AbortController();
    const answer = post(STREAM, HELLO, { signal: leaving.signal });
    await api.whenRequested(1);
    expect(api.requests[0]?.aborted).toBe(false);
    leaving.abort();
    await expect(answer).rejects.toThrow('aborted');
    await api.requests[0]?.whenAborted();
    expect(api.requests[0]?.aborted).toBe(true);
  });

  it('are marked when the client goes in the middle of a stream', async () => {
    api.reply(text(['one', { text: 'two', after: new Promise(() => {}) }]));
    const leaving = new AbortController();
    const response = await post(STREAM, HELLO, { signal: leaving.signal });
    leaving.abort();
    await expect(response.text()).rejects.toThrow('aborted');
    await api.requests[0]?.whenAborted();
  });

  it('are not marked when the API cuts the answer', async () => {
    api.reply(cut(['one']));
    await expect(post(STREAM).then((response) => response.text())).rejects.toThrow('terminated');
    api.reply(text('fine'));
    await post(GENERATE);
    expect(api.requests.map(({ aborted }) => aborted)).toEqual([false, false]);
  });
});

describe('refusals', () => {
  it('answers 404 to unknown requests', async () => {
    const response = await fetch(`${api.url}/v1beta/tunedModels`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } });
    expect((await post('m:embedContent')).status).toBe(404);
    expect(api.requests.map(({ method }) => method)).toEqual(['other', 'other']);
  });

  it('answers 403 without a key', async () => {
    const response = await post(GENERATE, HELLO, { apiKey: '' });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 403, status: 'PERMISSION_DENIED' } });
  });

  it('answers 400 to invalid JSON', async () => {
    expect((await post(GENERATE, '{"contents":')).status).toBe(400);
    expect(api.requests[0]?.body).toBeNull();
  });

  it('answers 400 to a tool without functions', async () => {
    const response = await post(GENERATE, { ...HELLO, tools: [{ functionDeclarations: [] }] });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("tools[0].tool_type: required one_of 'tool_type'");
  });
});

describe('scripts', () => {
  it('choose by order, from the start again when replaced', async () => {
    const statuses = async (): Promise<readonly number[]> => {
      const responses = [await post(GENERATE), await post(STREAM), await post(GENERATE)];
      return responses.map(({ status }) => status);
    };
    api.reply(inOrder(overloaded(), overloaded(), text('at last')));
    expect(await statuses()).toEqual([503, 503, 200]);
    api.reply(inOrder(dailyQuota(), text('at last')));
    expect(await statuses()).toEqual([429, 200, 200]);
  });

  it('choose by model', async () => {
    api.reply(byModel({ 'gemini-2.5-pro': dailyQuota() }, text('fine')));
    expect((await post('gemini-2.5-pro:generateContent')).status).toBe(429);
    expect((await post('gemini-2.5-flash:generateContent')).status).toBe(200);
  });

  it('see the request and the index of generation requests', async () => {
    const seen: string[] = [];
    api.reply(({ model, userText }, index) => {
      seen.push(`${index} ${model} ${userText.join()}`);
      return text('fine');
    });
    await post('a:generateContent');
    await post('a:countTokens');
    await post('b:generateContent');
    expect(seen).toEqual(['0 a hello', '1 b hello']);
  });

  it('that throw are an error 500 with their message', async () => {
    api.reply(() => {
      throw new Error('out of replies');
    });
    const response = await post(GENERATE);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain('out of replies');
  });
});

describe('delivery', () => {
  it('streams server-sent events', async () => {
    api.reply(text(['He', 'llo']));
    const response = await post(STREAM);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = (await response.text()).split('\r\n\r\n').slice(0, -1);
    expect(events.map((event): unknown => JSON.parse(event.replace(/^data: /, '')))).toMatchObject([
      { candidates: [{ content: { role: 'model', parts: [{ text: 'He' }] } }], modelVersion: 'm' },
      { candidates: [{ content: { role: 'model', parts: [{ text: 'llo' }] }, finishReason: 'STOP' }] },
    ]);
  });

  it('streams one JSON array if no events are requested', async () => {
    api.reply(text(['He', 'llo']));
    const response = await post('m:streamGenerateContent');
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect(await response.json()).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'He' }] } }] },
      { candidates: [{ content: { parts: [{ text: 'llo' }] }, finishReason: 'STOP' }] },
    ]);
  });

  it('ends a stream with an error, and uses its status without a stream', async () => {
    api.reply(brokenBy(overloaded(), ['half']));
    const response = await post(STREAM);
    const events = (await response.text()).split('\r\n\r\n').slice(0, -1);
    expect(response.status).toBe(200);
    expect(events.map((event): unknown => JSON.parse(event.replace(/^data: /, '')))).toMatchObject([
      { candidates: [{ content: { parts: [{ text: 'half' }] } }] },
      { error: { code: 503, status: 'UNAVAILABLE' } },
    ]);
    expect((await post(GENERATE)).status).toBe(503);
  });

  it('escapes characters that a reader may take for the end of a line', async () => {
    api.reply(text('a\u2028b\u2029c'));
    for (const call of [STREAM, GENERATE]) {
      const body = await (await post(call)).text();
      expect(body).toContain('a\\u2028b\\u2029c');
      expect(body).not.toMatch(/[\u2028\u2029]/);
    }
  });

  it('holds a chunk back until its promise settles', async () => {
    const { promise: gate, resolve: open } = withResolvers();
    api.reply(text(['one', { text: 'two', after: gate }]));
    const chunks = (await post(STREAM)).body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await chunks?.read())?.value).toContain('one');
    const next = chunks?.read();
    open();
    expect((await next)?.value).toContain('two');
  });

  it('cuts before the headers if there is nothing to send', async () => {
    api.reply(cut([]));
    await expect(post(STREAM)).rejects.toThrow('fetch failed');
    await expect(post(GENERATE)).rejects.toThrow('fetch failed');
  });

  it('delays the whole reply', async () => {
    api.reply(slow(20, apiError({ code: 418, message: 'late', status: 'UNKNOWN' })));
    expect((await post(STREAM)).status).toBe(418);
  });

  it('counts tokens at about four characters each', async () => {
    const response = await post('m:countTokens', { contents: [{ parts: [{ text: 'x'.repeat(401) }] }] });
    expect(await response.json()).toEqual({ totalTokens: 101 });
  });

  it('names the delay of a rate limit', async () => {
    api.reply(rateLimited(41));
    expect(await (await post(GENERATE)).json()).toMatchObject({
      error: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ violations: [{}] }, { retryDelay: '41s' }] },
    });
  });
});

describe('close', () => {
  it('ends hanging and delayed answers without calling them aborted', async () => {
    api.reply(inOrder(hang(), slow(60_000, text('late')), text([{ text: 'never', after: new Promise(() => {}) }])));
    const answers = [post(STREAM), post(GENERATE), post(STREAM)].map((answer) => answer.catch(() => 'ended'));
    await api.whenRequested(3);
    await api.close();
    expect(await Promise.all(answers)).toEqual(['ended', 'ended', 'ended']);
    expect(api.requests.map(({ aborted }) => aborted)).toEqual([false, false, false]);
    await expect(fetch(api.url)).rejects.toThrow('fetch failed');
  });
});

describe('environment', () => {
  it('holds an address and a key of the usual shape', () => {
    const { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key } = api.environment();
    expect(url).toBe(api.url);
    expect(key).toMatch(/^AIza[\w-]{35}$/);
  });
});

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('errors of the API by their kind', () => {
  const vertex = '/v1beta1/projects/team-1/locations/eu/publishers/google/models/gemini-3.8-flash';

  function ask(path: string, body: object): Promise<Response> {
    const headers = { authorization: 'Bearer token-1', 'content-type': 'application/json' };
    const url = `${api.url}${path}${path.startsWith('/v1beta/') ? '?key=k' : ''}`;
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  it.each(['store', 'generateContentRequest'])('of Vertex AI: the field %s, which its messages lack', async (name) => {
    const response = await ask(`${vertex}:generateContent`, { ...HELLO, [name]: false });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(`Unknown name \\"${name}\\": Cannot find field.`);
  });

  it('and accepts the same request without it, and with it on the Gemini API', async () => {
    expect((await ask(`${vertex}:generateContent`, HELLO)).status).toBe(200);
    const { status } = await ask('/v1beta/models/gemini-3.8-flash:generateContent', { ...HELLO, store: false });
    expect(status).toBe(200);
  });

  it.each(['/v1beta/models/gemini-3.8-flash', vertex])('at %s: an empty text without a signature', async (path) => {
    const turn = (part: object): object => ({ contents: [{ role: 'user', parts: [{ text: 'Hi' }, part] }] });
    expect((await ask(`${path}:generateContent`, turn({ text: '', thoughtSignature: 'c2ln' }))).status).toBe(200);
    const refused = await ask(`${path}:generateContent`, turn({ text: '' }));
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('empty text parameter');
  });
});
