import { describe, expect, it } from 'vitest';
import { AskGemini } from '../ask-gemini/ask-gemini.ts';
import { createNoFilesResolver } from '../context/no-files-resolver.ts';
import type { Grounding } from '../ports/gemini-runner/grounding.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { ScriptedRun } from '../testing/scripted-run.ts';
import type { SearchRequest } from './search-request.ts';
import type { SearchResult } from './search-result.ts';
import { SearchWeb } from './search-web.ts';

const redirect = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/A';
const text = 'Foxes are red. \u6f22\u5b57\u3002 They sleep.';
const grounding: Grounding = {
  queries: ['colour of foxes'],
  sources: [
    { url: 'https://c.example/', title: 'Unused', isRedirect: false },
    { url: redirect, title: 'a.example', isRedirect: true },
    { url: 'https://b.example/', title: 'Foxes', domain: 'b.example', isRedirect: false },
  ],
  supports: [
    { start: 0, end: 14, sources: [1] },
    { start: 15, end: 18, sources: [2, 1] },
  ],
};

const searched: ScriptedRun = {
  tools: [{ name: 'google_web_search', phase: 'succeeded' }],
  chunks: [text],
  grounding,
};

async function search(
  script: ScriptedRun,
  known: Partial<SearchRequest> = {},
): Promise<{ readonly result: SearchResult; readonly requests: readonly RunRequest[] }> {
  const clock = new FakeClock();
  const runner = new ScriptedGeminiRunner({ clock, script: () => script });
  const askGemini = new AskGemini({
    clock,
    runner,
    resolver: createNoFilesResolver('none'),
    modelChain: ['pro'],
    random: () => 0,
    boundaryOf: () => 'b0',
  });
  const request = { owner: 'ann', query: 'foxes', limit: null, structured: false, model: null, timeoutMs: 60_000 };
  const result = await new SearchWeb({ clock, runner, askGemini }).search(
    { ...request, settings: plainRunSettings, ...known },
    () => undefined,
    new AbortController().signal,
  );
  return { result, requests: runner.requests };
}

describe('SearchWeb over a runner that reports search results', () => {
  it('asks for prose without sources, and puts their numbers into the answer and gives their list apart', async () => {
    const { result, requests } = await search(searched);
    expect(requests[0]?.input).toContain('Write no list of sources');
    expect(requests[0]?.input).not.toMatch(/google_web_search|JSON/);
    expect(result).toMatchObject({
      ok: true,
      report: null,
      answer: { text: 'Foxes are red. [1] \u6f22\u5b57\u3002 [1, 2] They sleep.' },
      sourceLines: [
        'Sources:',
        `[1] a.example: ${redirect}`,
        '[2] Foxes (b.example): https://b.example/',
        '[3] Unused: https://c.example/',
        "Addresses of vertexaisearch.cloud.google.com are Google's redirects to the pages. They expire after some days.",
        'Searched for: "colour of foxes"',
      ],
    });
  });

  it('makes the report of data alone, with one question', async () => {
    const { result, requests } = await search(searched, { structured: true });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.input).not.toContain('JSON');
    expect(result).toMatchObject({ ok: true, answer: { text } });
    expect(result.ok && result.report).toEqual({
      summary: text,
      sources: [
        { url: redirect, title: 'a.example', snippet: 'Foxes are red. \u6f22\u5b57\u3002', redirect: true },
        { url: 'https://b.example/', title: 'Foxes', domain: 'b.example', snippet: '\u6f22\u5b57\u3002' },
        { url: 'https://c.example/', title: 'Unused', snippet: '' },
      ],
      queries: ['colour of foxes'],
      supports: [
        { text: 'Foxes are red.', sources: [0] },
        { text: '\u6f22\u5b57\u3002', sources: [0, 1] },
      ],
    });
  });

  it('keeps to the limit, with the sources that the answer rests on', async () => {
    const { result } = await search(searched, { structured: true, limit: 1 });
    expect(result).toMatchObject({
      report: { sources: [{ url: redirect }], supports: [{ sources: [0] }, { sources: [0] }] },
    });
    const prose = await search(searched, { limit: 1 });
    expect(prose.result).toMatchObject({ answer: { text: expect.not.stringContaining('[2]') } });
  });

  it('takes no answer for a search when nothing was searched', async () => {
    const { result } = await search({ chunks: [text] });
    expect(result).toMatchObject({ ok: false, failed: { failure: { kind: 'search-failed' }, partialText: '' } });
  });

  it("parses Gemini's report if the run yields no sources, because another runner may have carried it", async () => {
    const report = { summary: 'Red.', sources: [{ url: 'https://a.b', title: 'A', snippet: '' }] };
    const { grounding: _, ...untold } = { ...searched, chunks: [JSON.stringify(report)] };
    const { result } = await search(untold, { structured: true });
    expect(result).toMatchObject({ ok: true, report });
  });
});
