import { AskGemini, type AskRequest, type AskResult, describeFailure, formatAccount } from '@gemini-mcp/core';
import { InMemoryContextResolver } from '@gemini-mcp/core/testing';
import { LeapingClock } from '@gemini-mcp/port-contracts';
import { hang, type OfflineGeminiApi, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';

/** With a window of 256,000 tokens, so that a test needs no megabytes. */
const model = 'gemma-4-31b-it';
const windowTokens = 256_000;

/** Each of 40,000 characters and as many tokens, by the rule of the offline API. */
const novel = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`novel/${index}.txt`, '長'.repeat(40_000)]));

const tree = {
  'small.ts': 'const a = 1;\n',
  'medium.log': 'x'.repeat(400_000),
  'large.log': 'x'.repeat(500_000),
  ...novel,
};

describe('files for the Gemini API', () => {
  let api: OfflineGeminiApi;
  let clock: LeapingClock;
  let runner: ApiGeminiRunner;

  beforeEach(async () => {
    api = await startOfflineGeminiApi({ reply: text('Because.') });
    clock = new LeapingClock();
    const apiKey = api.environment().GEMINI_API_KEY;
    runner = new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey }, geminiBaseUrl: api.url, clock });
  });

  afterEach(async () => {
    await runner.close();
    await api.close();
  });

  function ask(request: Partial<AskRequest>, signal = new AbortController().signal): Promise<AskResult> {
    const resolver = new InMemoryContextResolver({ tree, clock });
    const options = { clock, resolver, runner, modelChain: null, random: () => 0, boundaryOf: () => 'b0' };
    const all = { files: [], globPatterns: [], directories: [], maxFiles: 500, maxBytes: 10_000_000 };
    return new AskGemini(options).ask(
      { prompt: 'Why?', model, timeoutMs: 60_000, ...all, ...request },
      () => undefined,
      signal,
    );
  }

  function shown(result: AskResult): string {
    return result.ok ? `${result.answer.text}\n${formatAccount(result.answer)}` : describeFailure(result.failed);
  }

  function arrivals(): Record<string, number> {
    const methods = api.requests.map(({ method }) => method);
    return Object.fromEntries(
      [...new Set(methods)].map((one) => [one, methods.filter((other) => other === one).length]),
    );
  }

  it('are not counted if they are small', async () => {
    expect(shown(await ask({ files: ['small.ts'] }))).toContain('Because.');
    expect(shown(await ask({ files: ['medium.log'] }))).toContain('Because.');
    expect(arrivals()).toEqual({ streamGenerateContent: 2 });
  });

  it('are counted once if they are large, and sent unchanged', async () => {
    const result = await ask({ files: ['large.log', 'small.ts'] });
    expect(result).toMatchObject({ ok: true, answer: { context: { files: 2, leftOut: [] } } });
    expect(arrivals()).toEqual({ countTokens: 1, streamGenerateContent: 1 });
  });

  it('are sent up to the window if they are too large, with a list of the rest', async () => {
    const result = await ask({ directories: ['novel'] });
    const { countTokens = 0, streamGenerateContent } = arrivals();
    expect([countTokens > 1 && countTokens <= 4, streamGenerateContent]).toEqual([true, 1]);
    const usage = result.ok ? result.answer.usage : [];
    expect(usage[0]?.inputTokens).toBeLessThanOrEqual(windowTokens);
    expect(usage[0]?.inputTokens, 'no file more had fitted').toBeGreaterThan(windowTokens - 40_000);
    const lines = shown(result);
    expect(lines).toContain('Context: 6 files, 720,000 bytes sent');
    expect(lines).toContain('Left out: 3');
    expect(lines).toMatch(/Limits of this call: .* characters, .* of media, 256,000 tokens \(/);
    expect(api.requests.at(-1)?.userText.join('')).toContain('Left out whole, for lack of room:');
  });

  it('use the estimate if counting fails or returns nothing', async () => {
    api.countReply({ kind: 'error', status: 503, body: { error: { code: 503, message: 'Busy.' } } });
    expect(shown(await ask({ directories: ['novel'] }))).toContain('Context: 9 files');
    api.countReply(hang());
    const waiting = ask({ directories: ['novel'], timeoutMs: 600_000 });
    await api.whenCounted(2);
    clock.leap(60_000);
    expect(shown(await waiting)).toContain('Context: 9 files');
    expect(arrivals()).toEqual({ countTokens: 2, streamGenerateContent: 2 });
  });

  it('are not sent after an abort while they are counted', async () => {
    api.countReply(hang());
    const cancellation = new AbortController();
    const waiting = ask({ directories: ['novel'] }, cancellation.signal);
    await api.whenCounted(1);
    cancellation.abort();
    expect(await waiting).toMatchObject({ ok: false, failed: { failure: { kind: 'cancelled' }, attempts: [] } });
    expect(arrivals()).toEqual({ countTokens: 1 });
    await api.requests[0]?.whenAborted();
  });
});
