import type { Tool } from '@gemini-mcp/mcp';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Gate } from './testing/gate.ts';
import { joinPieces, readEvents } from './testing/read-events.ts';
import { RestScene } from './testing/rest-scene.ts';

const accept = 'text/event-stream';
const usage = [{ model: 'gemini-3.1-pro-preview', inputTokens: 12, outputTokens: 3 }];
const exited = { type: 'close', content: 'Process exited with code 0' };
const failed = { type: 'close', content: 'Process exited with code 1' };

const spent = {
  kind: 'quota-exhausted',
  excerpt: '[API Error: You have exhausted your daily quota on this model.]',
} as const;

describe('an event stream', () => {
  it('has the pieces of the answer, its account, and an end', async () => {
    const scene = new RestScene({ script: () => ({ chunks: ['Because\n', '\n of "air".\r\n'], usage }) });
    const { status, headers, events } = await scene.call('gemini-chat', { prompt: 'x' }, { accept });
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('Cache-Control')).toContain('no-cache');
    expect(headers.get('X-Accel-Buffering')).toBe('no');
    expect(events).toEqual([
      { type: 'stdout', content: 'Because\n' },
      { type: 'stdout', content: '\n of "air".\r\n' },
      {
        type: 'stderr',
        content: 'Model: gemini-3.1-pro-preview\nTokens: 12 input / 3 output',
        account: {
          text: 'Model: gemini-3.1-pro-preview\nTokens: 12 input / 3 output',
          model: 'gemini-3.1-pro-preview',
          usage,
          attempts: [{ model: 'gemini-3.1-pro-preview', durationMs: 0, failure: null }],
          ending: { type: 'complete' },
          modelVersion: 'gemini-3.1-pro-preview',
        },
      },
      exited,
    ]);
  });

  it('sends a piece on while Gemini still writes', async () => {
    const held = new Gate();
    const scene = new RestScene({ script: () => ({ chunks: ['first', ' second'], release: held.opened }) });
    const response = await scene.send('gemini-chat', { prompt: 'x' }, { accept });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('data: {"type":"stdout","content":"first"}\n\n');
    held.open();
    let rest = '';
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      rest += part.value;
    }
    expect(rest).toMatch(/^data: \{"type":"stdout","content":" second"\}\n\n/);
    expect(rest).toMatch(/"close","content":"Process exited with code 0"\}\n\n$/);
  });

  it('starts over with another model, and reports it', async () => {
    const scene = new RestScene({
      script: (_, index) => (index === 0 ? { chunks: ['Half an '], failure: spent } : { chunks: ['All', '.'] }),
    });
    const { events } = await scene.call('gemini-chat', { prompt: 'x' }, { accept });
    expect(events).toMatchObject([
      { type: 'stdout', content: 'Half an ' },
      { type: 'stderr', content: expect.stringContaining('Falling back to gemini-3.8-flash') },
      { type: 'restart', content: 'Asking gemini-3.8-flash, attempt 2' },
      { type: 'stdout', content: 'All' },
      { type: 'stdout', content: '.' },
      {
        type: 'stderr',
        content: expect.stringMatching(/^\[WARNING: Fell back to gemini-3.8-flash\]\n {2}- gemini-3.1-pro-preview: /),
        account: { attempts: [{ failure: 'quota-exhausted' }, { failure: null }] },
      },
      exited,
    ]);
    expect(joinPieces(events)).toBe('All.');
  });

  it('reports no restart if nothing had come', async () => {
    const scene = new RestScene({
      script: (_, index) => (index === 0 ? { failure: spent } : { chunks: ['All.'] }),
    });
    const { events } = await scene.call('gemini-chat', { prompt: 'x' }, { accept });
    expect(events.map(({ type }) => type)).toEqual(['stderr', 'stdout', 'stderr', 'close']);
  });

  it('has only the report of a raw search after its last restart', async () => {
    const report = { summary: 'S.', sources: [] };
    const tools = [
      { name: 'google_web_search', phase: 'started' },
      { name: 'google_web_search', phase: 'succeeded' },
    ] as const;
    const scene = new RestScene({ script: () => ({ tools, chunks: ['Here: ', JSON.stringify(report)] }) });
    const { events } = await scene.call('google-search', { query: 'x', raw: true }, { accept });
    expect(JSON.parse(joinPieces(events))).toEqual(report);
    expect(events.at(-1)).toEqual(exited);
  });

  it('has the text of a tool that does not use Gemini as one piece', async () => {
    const { events } = await new RestScene().call('gemini-context', { prompt: 'x' }, { accept });
    expect(events).toEqual([{ type: 'stdout', content: expect.stringContaining('Tokens: about') }, exited]);
  });

  it('names the session of a conversation', async () => {
    const { events } = await new RestScene().call('chat', { prompt: 'x' }, { accept });
    expect(events.at(-2)).toMatchObject({
      content: expect.stringMatching(/^Session: /),
      account: { sessionId: expect.any(String) },
    });
  });

  it('reports a wait for a slot', async () => {
    const scene = new RestScene({ script: () => ({ chunks: ['x', 'y'] }), maxRunning: 1 });
    const calls = [1, 2].map(() => scene.call('gemini-chat', { prompt: 'x' }, { accept }));
    const streams = (await Promise.all(calls)).map(({ events }) => events);
    expect(streams.flat()).toContainEqual({ type: 'stderr', content: 'Waiting for a slot' });
  });

  it('ends with the error that JSON would have', async () => {
    const scene = new RestScene({ script: () => ({ chunks: ['Half'], failure: spent }) });
    const args = { prompt: 'x', model: 'gemini-3.1-pro-preview' };
    const { status, events } = await scene.call('gemini-chat', args, { accept });
    expect(status).toBe(200);
    const { status: jsonStatus, body } = await scene.call('gemini-chat', args);
    expect({ jsonStatus, body }).toMatchObject({ jsonStatus: 429, body: { error: { code: 'quota-exhausted' } } });
    expect(events.at(-2)).toMatchObject({ type: 'error', content: expect.stringContaining('quota'), ...Object(body) });
    expect(events.at(-1)).toEqual(failed);
  });

  it('shows that it lives during a pause', async () => {
    const held = new Gate();
    const scene = new RestScene({ script: () => ({ chunks: ['a', 'b'], release: held.opened }) });
    const response = await scene.send('gemini-chat', { prompt: 'x' }, { accept });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    await scene.clock.advance(15_000);
    expect((await reader?.read())?.value).toBe(': keep-alive\n\n');
    await scene.clock.advance(15_000);
    expect((await reader?.read())?.value).toBe(': keep-alive\n\n');
    await reader?.cancel();
    await scene.calls.ended();
    expect(scene.clock.sleeping).toBe(0);
  });

  it('is JSON with a status if the call fails before its first event, though not before its first progress', async () => {
    const { status, headers, body } = await new RestScene().call(
      'gemini-query',
      { prompt: 'x', files: ['nope'] },
      { accept },
    );
    expect(headers.get('Content-Type')).toMatch(/^application\/json/);
    expect({ status, body }).toMatchObject({ status: 422, body: { error: { code: 'no-context' } } });
  });

  it('sends its headers if a call is silent for 100 ms', async () => {
    const begun = new Gate();
    const released = new Gate();
    const input = z.strictObject({});
    const silent: Tool<typeof input> = {
      name: 'silent',
      restPath: 'silent',
      title: 'Silent',
      description: '',
      input,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      run: async () => {
        begun.open();
        await released.opened;
        return { text: 'At last.', isError: true };
      },
    };
    const scene = new RestScene({ moreTools: [silent] });
    let hasLeft = false;
    const sent = scene.send('silent', {}, { accept }).finally(() => {
      hasLeft = true;
    });
    await begun.opened;
    await scene.clock.advance(99);
    expect(hasLeft).toBe(false);
    await scene.clock.advance(1);
    const response = await sent;
    expect(response.status).toBe(200);
    released.open();
    expect(readEvents(await response.text())).toMatchObject([{ type: 'error', content: 'At last.' }, failed]);
  });
});
