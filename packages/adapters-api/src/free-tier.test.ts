import { type AskAnswer, AskGemini, formatAccount, plainRunSettings, type RunSettings } from '@gemini-mcp/core';
import { FakeClock, InMemoryContextResolver } from '@gemini-mcp/core/testing';
import {
  modelNotFound,
  type OfflineGeminiApi,
  startOfflineGeminiApi,
  text,
  zeroQuota,
} from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';

const request = {
  prompt: 'Why?',
  files: [],
  globPatterns: [],
  directories: [],
  model: null,
  timeoutMs: 60_000,
  maxFiles: 1,
  maxBytes: 1,
};

describe('a key of the free tier', () => {
  let api: OfflineGeminiApi;
  let runner: ApiGeminiRunner;
  let askGemini: AskGemini;

  beforeAll(async () => {
    api = await startOfflineGeminiApi();
  });
  afterAll(async () => {
    await runner.close();
    await api.close();
  });
  beforeEach(() => {
    const { GEMINI_API_KEY: apiKey, GOOGLE_GEMINI_BASE_URL: geminiBaseUrl } = api.environment();
    const clock = new FakeClock(1_700_000_000_000);
    api.reply(({ model }) => (model.startsWith('gemini-4-') ? zeroQuota() : text('Because.')));
    runner = new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey }, geminiBaseUrl, clock });
    const resolver = new InMemoryContextResolver({ tree: {}, clock });
    askGemini = new AskGemini({
      clock,
      resolver,
      runner,
      modelChain: null,
      random: () => 0,
      boundaryOf: () => 'b0',
    });
  });

  async function ask(
    settings: RunSettings = plainRunSettings,
  ): Promise<{ readonly models: readonly string[]; readonly answer: AskAnswer }> {
    const before = api.requests.length;
    const result = await askGemini.ask({ ...request, settings }, () => undefined, new AbortController().signal);
    if (!result.ok) {
      throw new Error(result.failed.failure.kind);
    }
    return { models: api.requests.slice(before).map(({ model }) => model), answer: result.answer };
  }

  it('gets an answer, and pays for it with failed requests only once', async () => {
    expect((await ask()).models).toEqual(['gemini-4-carbon', 'gemini-4-argon', 'gemini-3.8-flash']);
    const { models, answer } = await ask();
    expect(models).toEqual(['gemini-3.8-flash']);
    expect(formatAccount(answer)).toContain('\nNote: gemini-4-carbon was not asked: less than a minute ago its quota');
  });

  it('does not affect calls with their own key', async () => {
    await ask();
    const own = { ...plainRunSettings, apiKey: 'AIzaSyKeyOfTheCallItself0000000000000000' };
    expect((await ask(own)).models).toEqual(['gemini-4-carbon', 'gemini-4-argon', 'gemini-3.8-flash']);
    expect((await ask()).models).toEqual(['gemini-3.8-flash']);
  });

  it('is asked again for all of them before the call fails', async () => {
    await ask();
    api.reply(({ model }) => (model === 'gemini-4-argon' ? text('Because.') : modelNotFound(model)));
    expect((await ask()).models).toEqual([
      'gemini-3.8-flash',
      'gemini-3.5-flash-lite',
      'gemini-4-carbon',
      'gemini-4-argon',
    ]);
  });
});
