import { describe, expect, it } from 'vitest';
import type { AskAnswer, AskResult } from '../answers/ask-result.ts';
import type { AskProgress, AskRequest } from '../ask-gemini/ask-request.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { plainRunSettings } from '../ports/gemini-runner/run-settings.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { ScriptedGeminiRunner } from '../testing/scripted-gemini-runner.ts';
import type { SearchRequest } from './search-request.ts';
import { SearchWeb } from './search-web.ts';

const never = new AbortController().signal;
const report = { summary: 'Rain.', sources: [{ url: 'https://a.b', title: 'A', snippet: '' }] };
const json = JSON.stringify(report);

const request: SearchRequest = {
  owner: 'ann',
  query: 'weather',
  limit: null,
  structured: true,
  model: null,
  settings: { ...plainRunSettings, tools: 'everything', apiKey: 'secret' },
  timeoutMs: 60_000,
};

const asking: AskProgress = { type: 'asking', model: 'pro', attempt: 1 };
const found = tool('succeeded');

function tool(phase: 'started' | 'succeeded' | 'failed', name = 'google_web_search'): AskProgress {
  return { type: 'tool', name, phase };
}

function failing(told: { readonly detail?: string; readonly failure?: GeminiFailure }): AskProgress {
  return { type: 'tool', name: 'google_web_search', phase: 'failed', ...told };
}

const overloaded: GeminiFailure = { kind: 'overloaded', excerpt: 'got status: 503' };

/** How one question goes. */
type Script = {
  readonly text?: string;
  readonly steps?: readonly AskProgress[];
  readonly answer?: Partial<AskAnswer>;
  readonly result?: AskResult;
  readonly tookMs?: number;
};

function resultOf({ text = json, answer, result }: Script): AskResult {
  const attempts = [{ model: 'pro', durationMs: 5, failure: null }];
  const usage = [{ model: 'pro', inputTokens: 10, outputTokens: 1 }];
  return result ?? { ok: true, answer: { text, model: 'pro', attempts, usage, context: null, ...answer } };
}

function failedWith(kind: 'timeout' | 'cancelled'): AskResult {
  const attempts = [{ model: 'pro', durationMs: 5, failure: { kind } }];
  return { ok: false, failed: { failure: { kind }, attempts, partialText: 'half', context: null, timeoutMs: 40_000 } };
}

/** A search whose questions go as they are scripted, and what it asked and told. */
function createSearch(...scripts: readonly Script[]) {
  const clock = new FakeClock();
  const asked: AskRequest[] = [];
  const told: AskProgress[] = [];
  const searchWeb = new SearchWeb({
    clock,
    runner: new ScriptedGeminiRunner({ clock, script: () => ({}), capabilities: { grounding: false } }),
    askGemini: {
      async ask(question, onProgress) {
        const script = scripts[asked.length];
        asked.push(question);
        if (script === undefined) {
          throw new Error('There was a question too many.');
        }
        for (const step of script.steps ?? [asking, found]) {
          onProgress(step);
        }
        await clock.advance(script.tookMs ?? 0);
        return resultOf(script);
      },
    },
  });
  const search = (known: Partial<SearchRequest> = {}) =>
    searchWeb.search({ ...request, ...known }, (step) => told.push(step), never);
  return { search, asked, told };
}

describe('SearchWeb', () => {
  it('asks with the web search as the only tool', async () => {
    const { search, asked, told } = createSearch({});
    const result = await search({ model: 'pro', limit: 2 });
    expect(result).toMatchObject({ ok: true, report, answer: { text: json } });
    expect(asked).toEqual([
      {
        owner: 'ann',
        prompt: expect.stringContaining('<query-1>\nweather\n</query-1>'),
        model: 'pro',
        settings: { ...plainRunSettings, tools: 'web-search', apiKey: 'secret' },
        timeoutMs: 60_000,
        files: [],
        globPatterns: [],
        directories: [],
        maxFiles: 0,
        maxBytes: 0,
      },
    ]);
    expect(told).toEqual([asking, found]);
  });

  it('takes prose as it is', async () => {
    const { search } = createSearch({ text: 'Rain. Sources: …' });
    expect(await search({ structured: false })).toMatchObject({
      ok: true,
      report: null,
      answer: { text: 'Rain. Sources: …' },
    });
  });

  it('passes a failed question on', async () => {
    const { search } = createSearch({ result: failedWith('cancelled') });
    expect(await search()).toEqual(failedWith('cancelled'));
  });

  it.each<[string, readonly AskProgress[], object]>([
    ['nothing was searched', [asking], { kind: 'search-failed', excerpt: '' }],
    ['another tool worked', [asking, tool('succeeded', 'read_file')], { kind: 'search-failed', excerpt: '' }],
    ['a search began', [asking, tool('started')], { kind: 'search-failed', excerpt: '' }],
    ['a model before it had searched', [asking, found, asking], { kind: 'search-failed', excerpt: '' }],
    ['the search failed without a word', [asking, tool('failed')], { kind: 'search-failed', excerpt: '' }],
    [
      'the search failed for an unknown reason',
      [asking, failing({ detail: 'It did not work.' })],
      { kind: 'search-failed', excerpt: 'It did not work.' },
    ],
    [
      'the search failed for a reason that the runner knows',
      [asking, failing({ detail: 'Error: got status: 503', failure: overloaded })],
      overloaded,
    ],
    ['it failed once more without a word', [asking, failing({ failure: overloaded }), tool('failed')], overloaded],
    [
      'only the model before it reported the reason',
      [asking, failing({ failure: overloaded }), asking],
      { kind: 'search-failed', excerpt: '' },
    ],
  ])('takes no answer for a search when %s, and ends', async (_, steps, failure) => {
    const { search } = createSearch({ steps });
    expect(await search()).toEqual({
      ok: false,
      failed: {
        failure,
        attempts: [{ model: 'pro', durationMs: 5, failure }],
        partialText: '',
        context: null,
        timeoutMs: 60_000,
      },
    });
  });

  it('is content with one search of several that succeeded', async () => {
    const { search } = createSearch({ steps: [asking, failing({ failure: overloaded }), found, tool('failed')] });
    expect(await search()).toMatchObject({ ok: true, report });
  });

  it('asks once more for a report that cannot be read, of the model that searched, in the time that is left', async () => {
    const spent = { model: 'pro', durationMs: 1, failure: { kind: 'quota-exhausted', excerpt: '' } } as const;
    const attempts = [spent, { model: 'flash', durationMs: 5, failure: null }];
    const { search, asked, told } = createSearch(
      { text: 'Rain, I think. {', tookMs: 20_000, answer: { model: 'flash', attempts } },
      { steps: [asking], answer: { model: 'flash', attempts: attempts.slice(1) } },
    );
    const result = await search();
    expect(result).toEqual({
      ok: true,
      report,
      answer: {
        text: json,
        model: 'flash',
        attempts: [...attempts, ...attempts.slice(1)],
        usage: [{ model: 'pro', inputTokens: 20, outputTokens: 2 }],
        context: null,
      },
    });
    expect(asked[1]).toMatchObject({
      owner: 'ann',
      prompt: expect.stringContaining('<text-1>\nRain, I think. {\n</text-1>'),
      model: 'flash',
      timeoutMs: 40_000,
      settings: { tools: 'none', apiKey: 'secret' },
    });
    expect(told.at(-1)).toEqual({ ...asking, attempt: 3 });
  });

  it('fails when the second report cannot be read either', async () => {
    const { search } = createSearch({ text: 'Rain.' }, { text: `Still rain.${'x'.repeat(1_000)}` });
    const result = await search();
    expect(result).toMatchObject({
      ok: false,
      failed: {
        failure: { kind: 'invalid-answer', excerpt: `Still rain.${'x'.repeat(489)}` },
        attempts: [{ failure: null }, { failure: { kind: 'invalid-answer' } }],
        partialText: '',
      },
    });
  });

  it('fails at once if no time is left for a second report', async () => {
    const { search } = createSearch({ text: 'Rain.', tookMs: 60_000 });
    expect(await search()).toMatchObject({
      ok: false,
      failed: { failure: { kind: 'invalid-answer', excerpt: 'Rain.' } },
    });
  });

  it.each(['timeout', 'cancelled'] as const)(
    'reports a %s while the report is repaired, with the time of the whole call',
    async (kind) => {
      const { search } = createSearch({ text: 'Rain.' }, { result: failedWith(kind) });
      expect(await search()).toMatchObject({
        ok: false,
        failed: { failure: { kind }, attempts: [{ failure: null }, { failure: { kind } }], timeoutMs: 60_000 },
      });
    },
  );
});
