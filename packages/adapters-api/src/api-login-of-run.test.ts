import { plainRunSettings, type RunEnd, type RunRequest } from '@gemini-mcp/core';
import { type OfflineGeminiApi, startOfflineGeminiApi, text } from '@gemini-mcp/port-contracts/offline-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiGeminiRunner } from './api-gemini-runner.ts';
import type { ApiLogin } from './api-login.ts';
import type { ApiRunReport } from './api-run-report.ts';
import { wallClock } from './testing/wall-clock.ts';

let api: OfflineGeminiApi;
let reports: ApiRunReport[];
let runner: ApiGeminiRunner;

function create(login: ApiLogin | null): ApiGeminiRunner {
  const onRun = (report: ApiRunReport): void => {
    reports.push(report);
  };
  runner = new ApiGeminiRunner({ login, clock: wallClock, geminiBaseUrl: api.url, onRun });
  return runner;
}

beforeEach(async () => {
  api = await startOfflineGeminiApi();
  api.reply(text(['one ', 'two']));
  reports = [];
});

afterEach(async () => {
  await runner.close();
  await api.close();
});

const key = (): string => api.environment().GEMINI_API_KEY;

function requestWith(apiKey: string | null): RunRequest {
  const settings = { ...plainRunSettings, apiKey };
  return { model: 'gemini-4-carbon', input: 'Hi', deadlineAtMs: wallClock.now() + 60_000, settings };
}

async function endOf(asked: ApiGeminiRunner, apiKey: string | null): Promise<RunEnd | undefined> {
  let last: RunEnd | undefined;
  for await (const event of asked.run(requestWith(apiKey), new AbortController().signal)) {
    last = event.type === 'answer' || event.type === 'failure' ? event : last;
  }
  return last;
}

describe('ApiGeminiRunner without a login', () => {
  it('carries and counts requests that bring a key of their own, and no others', async () => {
    const asked = create(null);
    const refused = { kind: 'unsupported', feature: 'login' };
    expect(asked.capabilities).toMatchObject({ needsKeyOfCall: true, backend: { by: 'Gemini API' } });
    expect(await endOf(asked, null)).toEqual({ type: 'failure', failure: refused });
    expect(await asked.countTokens(requestWith(null), new AbortController().signal)).toEqual({
      ok: false,
      failure: refused,
    });
    expect(api.requests).toEqual([]);
    expect(reports).toEqual([]);
    expect(await endOf(asked, key())).toMatchObject({ type: 'answer' });
    expect(await asked.countTokens(requestWith(key()), new AbortController().signal)).toMatchObject({ ok: true });
  });
});

describe('the run reports of ApiGeminiRunner', () => {
  it('cover the start, the received data and the end', async () => {
    const asked = create({ type: 'gemini-key', apiKey: key() });
    const end = await endOf(asked, null);
    const [runId] = new Set(reports.map((report) => report.runId));
    const run = { runId, model: 'gemini-4-carbon' };
    expect(reports).toEqual([
      { type: 'started', ...run, login: 'gemini-key', secrets: [key()], input: 'Hi' },
      { type: 'text', runId, text: 'one ' },
      { type: 'text', runId, text: 'two' },
      { type: 'ended', ...run, durationMs: expect.any(Number), end },
    ]);
  });

  it('include a run whose consumer has left', async () => {
    const asked = create({ type: 'gemini-key', apiKey: key() });
    for await (const event of asked.run(requestWith(null), new AbortController().signal)) {
      expect(event.type).toBe('text');
      break;
    }
    expect(reports.at(-1)).toMatchObject({ type: 'ended', end: { failure: { kind: 'cancelled' } } });
    expect(reports.filter(({ type }) => type === 'ended')).toHaveLength(1);
  });
});
