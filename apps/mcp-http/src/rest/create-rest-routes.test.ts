import type { Tool, ToolContext, ToolOutcome } from '@gemini-mcp/mcp';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { refuse } from '../refusal.ts';
import { RestScene } from './testing/rest-scene.ts';

const usage = [{ model: 'gemini-3.1-pro-preview', inputTokens: 12, outputTokens: 3 }];
const quotaSpent = {
  kind: 'quota-exhausted',
  excerpt: '[API Error: You have exhausted your daily quota on this model.]',
} as const;

function sessionOf(body: unknown): { readonly sessionId: string } {
  return z.object({ account: z.object({ sessionId: z.uuid() }) }).parse(body).account;
}

describe('POST /api/gemini-chat', () => {
  it('answers with the answer and its account', async () => {
    const scene = new RestScene({ script: () => ({ chunks: ['Because ', 'of air.'], usage }) });
    const { status, headers, body } = await scene.call('gemini-chat', { prompt: 'Why is the sky blue?' });
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(body).toEqual({
      type: 'answer',
      answer: 'Because of air.',
      account: {
        text: 'Model: gemini-3.1-pro-preview\nTokens: 12 input / 3 output',
        model: 'gemini-3.1-pro-preview',
        usage,
        attempts: [{ model: 'gemini-3.1-pro-preview', durationMs: 0, failure: null }],
        ending: { type: 'complete' },
        modelVersion: 'gemini-3.1-pro-preview',
      },
    });
    expect(scene.runner.requests).toMatchObject([{ input: 'Why is the sky blue?' }]);
  });

  it('answers completely, however long the answer', async () => {
    const long = 'x'.repeat(100_000);
    const { body } = await new RestScene({ script: () => ({ chunks: [long] }) }).call('gemini-chat', { prompt: 'x' });
    expect(body).toMatchObject({ answer: long });
  });

  it('reports a cut answer (CUT-01)', async () => {
    const scene = new RestScene({ script: () => ({ chunks: ['Because '], ending: { type: 'output-limit' } }) });
    const { status, body } = await scene.call('gemini-chat', { prompt: 'x' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      answer: 'Because ',
      account: { ending: { type: 'output-limit' }, text: expect.stringContaining('[WARNING: The answer is cut: ') },
    });
  });

  it('answers 422 for a blocked answer, with the text so far (CUT-02)', async () => {
    const ending = { type: 'blocked', what: 'answer', reason: 'SAFETY' } as const;
    const scene = new RestScene({ script: () => ({ chunks: ['Because '], ending }) });
    const { status, body } = await scene.call('gemini-chat', { prompt: 'x' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: { code: 'blocked', partialText: 'Because ' } });
  });

  it('lists the attempts', async () => {
    const scene = new RestScene({
      script: (_, index) => (index === 0 ? { failure: quotaSpent } : { chunks: ['Yes.'] }),
    });
    const { body } = await scene.call('gemini-chat', { prompt: 'x' });
    expect(body).toMatchObject({
      account: {
        model: 'gemini-3.8-flash',
        attempts: [
          { model: 'gemini-3.1-pro-preview', failure: 'quota-exhausted' },
          { model: 'gemini-3.8-flash', failure: null },
        ],
      },
    });
  });

  it('starts a job with 202, and gemini-job has its answer', async () => {
    const scene = new RestScene();
    const started = await scene.call('gemini-chat', { prompt: 'x', background: true });
    expect(started).toMatchObject({ status: 202, body: { type: 'job', job: { handle: 'handle1', state: 'running' } } });
    const ended = await scene.call('gemini-job', { handle: 'handle1', action: 'wait' });
    expect(ended).toMatchObject({
      status: 200,
      body: { job: { state: 'succeeded' }, result: { answer: 'The answer.' } },
    });
  });

  it('reports a failed job as a report, not as a failure', async () => {
    const scene = new RestScene({ script: () => ({}) });
    await scene.call('gemini-chat', { prompt: 'x', background: true, model: 'gemini-3.1-pro-preview' });
    await scene.clock.advance(120_000);
    const { status, body } = await scene.call('gemini-job', { handle: 'handle1' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { job: { state: 'failed' }, error: { code: 'empty-answer' } },
    });
  });
});

describe('POST /api/<tool>', () => {
  it("gemini-agent returns the run's changes as data, and gemini-undo reverts them", async () => {
    const scene = new RestScene({ changes: { 'a.ts': 'one\n' } });
    const { status, body } = await scene.call('gemini-agent', { task: 'Mend it.', mode: 'edit' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        answer: 'The answer.',
        account: {
          text: expect.stringContaining('Changed: 1 file'),
          work: { runId: 'handle1', mode: 'edit', changes: { files: [{ path: 'a.ts', kind: 'created' }] } },
        },
      },
    });
    expect(await scene.call('gemini-undo', { run: 'handle1' })).toMatchObject({
      status: 200,
      body: { text: expect.stringContaining('a.ts removed again') },
    });
    expect((await scene.call('gemini-undo', { run: 'other' })).status).toBe(404);
  });

  it('gemini-agent reports the steps of a failed run', async () => {
    const failure = { kind: 'blocked', what: 'answer', excerpt: '' } as const;
    const scene = new RestScene({ changes: { 'a.ts': 'one\n' }, script: () => ({ failure }) });
    expect(await scene.call('gemini-agent', { task: 'Mend it.', mode: 'edit' })).toMatchObject({
      status: 422,
      body: { error: { code: 'blocked', work: { changes: { files: [{ path: 'a.ts' }] } } } },
    });
  });

  it('gemini-query lists the sent files', async () => {
    const scene = new RestScene({ tree: { 'a.ts': 'let a;\n' } });
    const { body } = await scene.call('gemini-query', { prompt: 'x', files: ['a.ts', 'b.ts'] });
    expect(body).toMatchObject({
      account: {
        context: { files: 1, bytes: 7, leftOut: [{ path: 'b.ts', reason: 'not-found', origin: 'file' }] },
      },
    });
  });

  it('gemini-query also answers with JSON as data for a schema', async () => {
    const scene = new RestScene({ script: () => ({ chunks: ['```json\n[1]\n```'] }) });
    const { body } = await scene.call('gemini-query', { prompt: 'x', schema: { type: 'array' } });
    expect(body).toMatchObject({ type: 'answer', answer: '[1]', json: [1] });
  });

  it('gemini-query lists the pages that were read', async () => {
    const pages = [{ url: 'https://a.example/', outcome: 'paywall' } as const];
    const scene = new RestScene({ script: () => ({ chunks: ['x'], pages }) });
    const urls = ['https://a.example/', 'https://b.example/'];
    const { body } = await scene.call('gemini-query', { prompt: 'x', urls });
    expect(body).toMatchObject({ account: { pages: [...pages, { url: 'https://b.example/', outcome: 'untold' }] } });
  });

  it('google-search answers with its report as data', async () => {
    const report = { summary: 'S.', sources: [{ url: 'https://a.example/', title: 'A', snippet: 'a' }] };
    const tools = [
      { name: 'google_web_search', phase: 'started' },
      { name: 'google_web_search', phase: 'succeeded' },
    ] as const;
    const scene = new RestScene({ script: () => ({ tools, chunks: [JSON.stringify(report)] }) });
    const { body } = await scene.call('google-search', { query: 'x', raw: true });
    expect(body).toMatchObject({
      report,
      answer: JSON.stringify(report, null, 2),
      account: { model: 'gemini-3.1-pro-preview' },
    });
  });

  it('a custom tool answers with its blocks, as JSON and as events, and is documented with its JSON Schema', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
    const image = { type: 'image', data: png, mimeType: 'image/png' } as const;
    const word = { $ref: '#/definitions/word' };
    const tool: Tool = {
      name: 'show_picture',
      restPath: 'show-picture',
      title: 'Show',
      description: 'Shows a picture',
      input: { jsonSchema: { type: 'object', definitions: { word: { type: 'string' } }, properties: { word } } },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      run: async () => ({ text: 'Here:', blocks: [{ ...image, mimeType: 'image/svg+xml' }], isError: false }),
    };
    const scene = new RestScene({ moreTools: [tool] });
    expect(await scene.call('show-picture', { word: 'x' })).toMatchObject({
      status: 200,
      body: { type: 'text', text: 'Here:', blocks: [image] },
    });
    expect((await scene.call('show-picture', {}, { accept: 'text/event-stream' })).events).toEqual([
      { type: 'stdout', content: 'Here:' },
      { type: 'block', content: '', block: image },
      { type: 'close', content: 'Process exited with code 0' },
    ]);
    expect(await scene.call('show-picture', { word: 1 })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('word: must be a string, not 1') } },
    });
    const schema = { $id: 'urn:tool:show_picture', properties: { word } };
    expect(await (await scene.app.request('/openapi.json')).json()).toMatchObject({
      paths: { '/api/show-picture': { post: { requestBody: { content: { 'application/json': { schema } } } } } },
    });
  });

  it('chat returns the session id for chat-reply', async () => {
    const scene = new RestScene();
    const { body } = await scene.call('chat', { prompt: 'One.' });
    const { sessionId } = sessionOf(body);
    const reply = await scene.call('chat-reply', { prompt: 'Two.', sessionId });
    expect(reply).toMatchObject({ body: { account: { sessionId } } });
    expect(scene.runner.requests.at(-1)?.history).toEqual([
      { role: 'user', text: 'One.' },
      { role: 'model', text: 'The answer.' },
    ]);
  });

  it('gemini-context answers with text', async () => {
    const { status, body } = await new RestScene().call('gemini-context', { prompt: 'x' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { type: 'text', text: expect.stringContaining('Tokens: about') },
    });
  });
});

describe('DELETE /api/sessions/<id>', () => {
  const never = '0f8fad5b-d9cb-469f-a165-70867728950e';

  it('deletes a conversation, as chat-delete does', async () => {
    const scene = new RestScene();
    for (const deleteSession of [
      (sessionId: string) => scene.call(`sessions/${sessionId}`, null, { method: 'DELETE' }),
      (sessionId: string) => scene.call('chat-delete', { sessionId }),
    ]) {
      const { body } = await scene.call('chat', { prompt: 'One.' });
      const { sessionId } = sessionOf(body);
      expect(await deleteSession(sessionId)).toMatchObject({ status: 200, body: { type: 'text' } });
      expect(await deleteSession(sessionId)).toMatchObject({
        status: 404,
        body: { error: { code: 'unknown-session' } },
      });
      expect((await scene.call('chat-reply', { prompt: 'Two.', sessionId })).status).toBe(404);
    }
  });

  it.each(['x', '..%2f..%2fx', `${never}%00`, '-r'])('ARGV-07: refuses %j as an id', async (id) => {
    const { status, body } = await new RestScene().call(`sessions/${id}`, null, { method: 'DELETE' });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: { code: 'invalid-arguments' } } });
  });

  it.each(['GET', 'POST', 'PUT', 'OPTIONS'])('refuses %s', async (method) => {
    const response = await new RestScene().send(`sessions/${never}`, {}, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('DELETE');
  });

  it('needs the scopes of chat-delete, and does not exist without that tool', async () => {
    const asked: unknown[] = [];
    const refusing = new RestScene({
      requireScopes: (context, { name }, args) => {
        asked.push([name, args]);
        return refuse(context, { status: 403, code: 'insufficient-scope', message: 'No.' });
      },
    });
    expect((await refusing.call(`sessions/${never}`, null, { method: 'DELETE' })).status).toBe(403);
    expect(asked).toEqual([['chat-delete', { sessionId: never }]]);
    const readOnly = new RestScene({ toolNames: ['gemini_query'] });
    expect((await readOnly.send(`sessions/${never}`, null, { method: 'DELETE' })).status).toBe(404);
    const document: unknown = await (await readOnly.app.request('/openapi.json')).json();
    expect(JSON.stringify(document)).not.toContain('/api/sessions');
  });
});

describe('POST /api/<tool> refuses', () => {
  it.each<[string, string, unknown, number, object]>([
    ['an unknown argument', 'gemini-chat', { prompt: 'x', promt: 'y' }, 400, { code: 'invalid-arguments' }],
    ['a missing argument', 'gemini-query', {}, 400, { code: 'invalid-arguments' }],
    ['a list of arguments', 'gemini-chat', ['x'], 400, { code: 'invalid-arguments' }],
    ['no arguments', 'gemini-chat', null, 400, { code: 'invalid-arguments' }],
    [
      'arguments that exclude each other',
      'gemini-read',
      { handle: 'x', offset: 0, lines: '1' },
      400,
      { code: 'invalid-arguments' },
    ],
    ['yolo', 'gemini-chat', { prompt: 'x', yolo: true }, 403, { code: 'not-allowed' }],
    ['an unknown job', 'gemini-job', { handle: 'x' }, 404, { code: 'unknown-job' }],
    ['an unknown answer', 'gemini-read', { handle: 'x' }, 404, { code: 'unknown-answer' }],
    ['an unknown conversation', 'chat-reply', { prompt: 'x' }, 404, { code: 'unknown-session', sessions: [] }],
    [
      'unknown files',
      'gemini-query',
      { prompt: 'x', files: ['a'] },
      422,
      { code: 'no-context', context: { leftOut: [{ path: 'a' }] } },
    ],
  ])('%s', async (_, tool, args, status, error) => {
    const scene = new RestScene();
    for (const accept of ['application/json', 'text/event-stream']) {
      const called = await scene.call(tool, args, { accept });
      const { events } = called;
      const told = events.length === 0 ? called : { status, body: events.at(-2) };
      expect(told).toMatchObject({ status, body: { error: { requestId: 'request-1', ...error } } });
    }
    expect(scene.runner.requests).toEqual([]);
  });

  it('a call without a slot, with Retry-After', async () => {
    const scene = new RestScene({ script: () => ({ hangs: true }), maxRunning: 1, maxQueued: 0 });
    const leaving = new AbortController();
    const first = scene.send('gemini-chat', { prompt: 'x' }, { signal: leaving.signal });
    for (const accept of ['application/json', 'text/event-stream']) {
      const { status, headers, body } = await scene.call('gemini-chat', { prompt: 'y' }, { accept });
      expect({ status, body }).toMatchObject({ status: 503, body: { error: { code: 'busy', retryAfterMs: 20_000 } } });
      expect(headers.get('Retry-After')).toBe('20');
    }
    leaving.abort();
    expect((await first).status).toBe(499);
  });

  it('a token without the scope, before checking the arguments', async () => {
    const asked: unknown[] = [];
    const scene = new RestScene({
      requireScopes: (context, { name }, args) => {
        asked.push([name, args]);
        return refuse(context, { status: 403, code: 'insufficient-scope', message: 'No.' });
      },
    });
    const { status, body } = await scene.call('gemini-query', { files: ['a'] }, { accept: 'text/event-stream' });
    expect({ status, body }).toMatchObject({ status: 403, body: { error: { code: 'insufficient-scope' } } });
    expect(asked).toEqual([['gemini_query', { files: ['a'] }]]);
  });

  it('an unknown tool, and lists the known ones', async () => {
    for (const path of ['gemini', 'gemini-chat/', 'a/b', 'geminiChat', '__proto__']) {
      const { status, body } = await new RestScene().call(path, {});
      expect({ status, body }).toMatchObject({ status: 404, body: { error: { code: 'unknown-tool' } } });
      expect(body).toMatchObject({ error: { tools: expect.arrayContaining(['/api/gemini-chat', '/api/chat-reply']) } });
    }
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('%s', async (method) => {
    const response = await new RestScene().send('gemini-chat', {}, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('POST');
    expect(await response.json()).toMatchObject({ error: { code: 'method-not-allowed' } });
  });

  it('to reveal an exception of a tool', async () => {
    const scene = new RestScene({ moreTools: [toolRunning(() => Promise.reject(new Error('the secret')))] });
    const { status, body } = await scene.call('special', {});
    expect({ status, body }).toMatchObject({ status: 500, body: { error: { code: 'internal-error' } } });
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(scene.logged).toMatchObject([{ event: 'tool-threw', subject: 'special' }]);
  });

  it('to ask the user anything: the tool gets the reason', async () => {
    const told: unknown[] = [];
    const asking = toolRunning(async ({ ask }) => {
      told.push(await ask({ handle: 'sure', message: 'Sure?', choices: [{ name: 'yes', label: 'Yes' }] }));
      return { text: 'Not done.', isError: true, detail: { type: 'refused', reason: 'not-allowed' } };
    });
    await new RestScene({ moreTools: [asking] }).call('special', {});
    expect(told).toMatchObject([{ type: 'cannot-ask', reason: 'transport-cannot' }]);
  });
});

function toolRunning(run: (context: ToolContext) => Promise<ToolOutcome>): Tool {
  return {
    name: 'special',
    restPath: 'special',
    title: 'Special',
    description: '',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: (_args, context) => run(context),
  };
}

describe('a closed request', () => {
  it('cancels its call, which counts until it has ended', async () => {
    const scene = new RestScene({ script: () => ({ chunks: ['x'], hangs: true }) });
    const leaving = new AbortController();
    const response = scene.send('gemini-chat', { prompt: 'x' }, { signal: leaving.signal });
    await scene.clock.advance(1_000);
    expect(scene.runner.requests).toHaveLength(1);
    leaving.abort();
    await scene.calls.ended();
    expect(await (await response).json()).toMatchObject({ error: { code: 'cancelled', partialText: 'x' } });
    expect(scene.clock.sleeping).toBe(0);
  });
});
