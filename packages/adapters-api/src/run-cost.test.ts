import { AskGemini, type AskRequest } from '@gemini-mcp/core';
import { FakeClock, InMemoryContextResolver } from '@gemini-mcp/core/testing';
import { type OfflineGeminiApi, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';

const tree = { 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' };
const prompt = 'What does a.ts export?';
const history = [
  { role: 'user', text: 'hi' },
  { role: 'model', text: 'Hello.' },
] as const;

const plain: AskRequest = {
  prompt,
  files: [],
  globPatterns: [],
  directories: [],
  model: 'gemini-3.8-flash',
  timeoutMs: 60_000,
  maxFiles: 9,
  maxBytes: 1_000,
};

describe('what a question costs beyond its prompt, files and history, over the API', () => {
  let api: OfflineGeminiApi;
  let runner: ApiGeminiRunner;
  let askGemini: AskGemini;

  beforeAll(async () => {
    api = await startOfflineGeminiApi({ reply: text('Because.') });
    const clock = new FakeClock();
    const apiKey = api.environment().GEMINI_API_KEY;
    runner = new ApiGeminiRunner({ login: { type: 'gemini-key', apiKey }, geminiBaseUrl: api.url, clock });
    const resolver = new InMemoryContextResolver({ tree, clock });
    askGemini = new AskGemini({
      clock,
      resolver,
      runner,
      modelChain: null,
      random: () => 0,
      boundaryOf: () => 'boundaryletter',
    });
  });
  afterAll(async () => {
    await runner.close();
    await api.close();
  });

  it.each<[string, Partial<AskRequest>, readonly string[], number]>([
    ['a prompt alone', { prompt: 'hi' }, ['hi'], 200],
    ['a message of a chat', { prompt: 'And now?', history }, ['And now?', 'hi', 'Hello.'], 200],
    ['two files', { files: Object.keys(tree) }, [prompt, ...Object.values(tree)], 310],
  ])('is little for %s', async (_, request, sent, limit) => {
    const result = await askGemini.ask({ ...plain, ...request }, () => undefined, new AbortController().signal);
    const [usage] = result.ok ? result.answer.usage : [];
    const beyond = (usage?.inputTokens ?? Number.NaN) - Math.floor(sent.join('').length / 4);
    expect(beyond, 'tokens of the instruction and the tags').toBeGreaterThan(100);
    expect(beyond).toBeLessThan(limit);
  });
});
