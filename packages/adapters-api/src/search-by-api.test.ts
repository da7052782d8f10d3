import { AskGemini, plainRunSettings, type SearchResult, SearchWeb } from '@gemini-mcp/core';
import { createNoFilesResolver } from '@gemini-mcp/core/internal';
import {
  groundedIn,
  type OfflineGeminiApi,
  type Reply,
  startOfflineGeminiApi,
  text,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';
import { wallClock as clock } from './testing/wall-clock.ts';

const answer = '\u{1f98a} Foxes are red. \u72d0\u306f\u8d64\u3044\u3002';
const redirect = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/A';
const found: Reply = {
  ...text([...answer]),
  candidateFields: groundedIn(answer, {
    queries: ['colour of foxes'],
    sources: [
      { url: redirect, title: 'a.example' },
      { url: 'javascript:alert(1)', title: 'bad' },
    ],
    supports: [
      { text: 'Foxes are red.', sources: [0, 1] },
      { text: '\u72d0\u306f\u8d64\u3044\u3002', sources: [1] },
    ],
  }),
};

let api: OfflineGeminiApi;
let runner: ApiGeminiRunner;

beforeEach(async () => {
  api = await startOfflineGeminiApi();
  runner = new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey: 'AIzaTest' }, geminiBaseUrl: api.url, clock });
});

afterEach(async () => {
  await runner.close();
  await api.close();
});

async function search(structured: boolean): Promise<SearchResult> {
  const resolver = createNoFilesResolver('none');
  const askGemini = new AskGemini({
    clock,
    runner,
    resolver,
    modelChain: ['gemini-3.8-flash'],
    random: Math.random,
    boundaryOf: () => 'b0',
  });
  const request = { owner: '', query: 'foxes', limit: null, structured, model: null, settings: plainRunSettings };
  const { signal } = new AbortController();
  return new SearchWeb({ clock, runner, askGemini }).search({ ...request, timeoutMs: 60_000 }, () => undefined, signal);
}

describe('a search by the Gemini API', () => {
  it('is one request, and the answer has its sources from the API', async () => {
    api.reply(found);
    expect(await search(false)).toMatchObject({
      ok: true,
      answer: { text: '\u{1f98a} Foxes are red. [1] \u72d0\u306f\u8d64\u3044\u3002' },
      sourceLines: [
        'Sources:',
        `[1] a.example: ${redirect}`,
        "Addresses of vertexaisearch.cloud.google.com are Google's redirects to the pages. They expire after some days.",
        'Searched for: "colour of foxes"',
      ],
    });
    expect(api.requests).toMatchObject([{ hasGoogleSearch: true, hasUrlContext: false }]);
  });

  it('needs no JSON of Gemini and no second request for a report', async () => {
    api.reply(found);
    expect(await search(true)).toMatchObject({
      ok: true,
      report: {
        summary: answer,
        sources: [{ url: redirect, title: 'a.example', snippet: 'Foxes are red.', redirect: true }],
        queries: ['colour of foxes'],
        supports: [{ text: 'Foxes are red.', sources: [0] }],
      },
    });
    expect(api.requests).toHaveLength(1);
  });

  it('fails if Gemini answered without a search', async () => {
    api.reply({ ...text('I know that.'), candidateFields: { groundingMetadata: {} } });
    expect(await search(false)).toMatchObject({ ok: false, failed: { failure: { kind: 'search-failed' } } });
  });
});
