import type { RunEvent } from '@gemini-mcp/core';
import { cliWays } from '@gemini-mcp/fake-gemini';
import { apiError, grounded, inOrder, noFinish, text, toolCall } from '@gemini-mcp/port-contracts/offline-api';
import { describe, expect, it } from 'vitest';
import { useRealCliPlace } from '../testing/real-cli-place.ts';

const search = toolCall('google_web_search', { query: 'x' });
const found = grounded('found', [{ title: 'A page', url: 'https://example.com/' }]);

function textOf(events: readonly RunEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('');
}

function usageOf(events: readonly RunEvent[]): unknown {
  return events.find((event) => event.type === 'usage')?.models;
}

describe.each(cliWays)('how the real CLI ended an answer, %s', (kind) => {
  const given = useRealCliPlace(kind, 'all');

  it('without a finish reason after a tool call, which the CLI lets pass, is a failure (CUT-06)', async () => {
    given.api.reply(inOrder(search, found, noFinish(['half'])));
    const { events, failure } = await given.place.run({ tools: 'web-search' });
    expect(textOf(events)).toBe('half');
    expect(failure).toMatchObject({ kind: 'malformed-output' });
  });

  it('is taken from its last request, not from the one of a tool (CUT-06)', async () => {
    given.api.reply(inOrder(search, { ...found, finishReason: 'MAX_TOKENS' }, text('whole')));
    const { end, requests } = await given.place.run({ tools: 'web-search' });
    expect(requests.map(({ method }) => method)).toEqual([
      'streamGenerateContent',
      'generateContent',
      'streamGenerateContent',
    ]);
    expect(end).toMatchObject({ type: 'answer', ending: { type: 'complete' } });
  });

  it('is not taken from an earlier request, where the last one failed', async () => {
    given.api.reply(inOrder(search, found, apiError({ code: 500, status: 'INTERNAL', message: 'No.' })));
    const { failure } = await given.place.run({ tools: 'web-search' });
    expect(failure).toMatchObject({ kind: 'server-error' });
  });

  it('has all usage: thoughts, cached tokens and tools', async () => {
    const usage = {
      promptTokens: 1_000,
      candidatesTokens: 20,
      thoughtsTokens: 300,
      cachedTokens: 400,
      toolUseTokens: 50,
    };
    given.api.reply({ ...text('hi'), usage });
    const { events } = await given.place.run({ model: 'gemini-2.5-pro' });
    expect(usageOf(events)).toEqual([
      {
        model: 'gemini-2.5-pro',
        inputTokens: 1_000,
        outputTokens: 20,
        thoughtTokens: 300,
        cachedTokens: 400,
        toolTokens: 50,
      },
    ]);
  });

  it('comes with what the requests of its tools used as well', async () => {
    const small = { promptTokens: 10, candidatesTokens: 2 };
    given.api.reply(
      inOrder(
        { ...search, usage: small },
        { ...found, usage: { promptTokens: 7, candidatesTokens: 3, toolUseTokens: 500 } },
        { ...text('whole'), usage: { ...small, thoughtsTokens: 5 } },
      ),
    );
    const { events, requests } = await given.place.run({ tools: 'web-search' });
    const [asked] = requests;
    expect(usageOf(events)).toEqual([
      { model: asked?.model, inputTokens: 27, outputTokens: 7, thoughtTokens: 5, toolTokens: 500 },
    ]);
  });

  it('names the model that answered, which may differ from the requested one (MODEL-01)', async () => {
    given.api.reply({ ...text('hi'), responseFields: { modelVersion: 'gemini-3.8-flash' } });
    const { end } = await given.place.run({ model: 'gemini-2.5-pro' });
    expect(end).toEqual({ type: 'answer', ending: { type: 'complete' }, modelVersion: 'gemini-3.8-flash' });
  });
});
