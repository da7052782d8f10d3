import type { PoolReport } from '@gemini-mcp/adapters-node';
import type { AskEnd, Attempt } from '@gemini-mcp/core';
import { streamSSE } from 'hono/streaming';
import { register } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuse } from '../refusal.ts';
import { createMetrics, type Metrics } from './create-metrics.ts';
import { ServedApp } from './testing/served-app.ts';

let served: ServedApp;
let metrics: Metrics;
let queue: { readonly running: number; readonly queued: number };
let sessions: number;

beforeEach(async () => {
  served = new ServedApp();
  queue = { running: 0, queued: 0 };
  sessions = 0;
  metrics = createMetrics({
    clock: served.clock,
    modelChain: ['pro', 'flash'],
    queueLoad: () => queue,
    sessions: () => sessions,
  });
  served.app.use(metrics.middleware);
  await served.start();
});

afterEach(() => served.stop());

/** The samples whose names begin so, without histogram buckets. */
async function samples(prefix: string): Promise<readonly string[]> {
  const text = await metrics.render();
  return text.split('\n').filter((line) => line.startsWith(prefix) && !line.includes('_bucket'));
}

const network = { kind: 'network', excerpt: '' } as const;
const answer = (model: string, attempts: readonly Attempt[]): AskEnd => ({
  result: {
    ok: true,
    answer: { text: 'x', model, attempts, usage: [{ model, inputTokens: 100, outputTokens: 7 }], context: null },
  },
  durationMs: 2_500,
  waitedMs: 500,
  owner: 'alice',
  origin: { tool: 'gemini_query', clientName: 'codex' },
});
const failure = (attempts: readonly Attempt[]): AskEnd => ({
  result: { ok: false, failed: { failure: network, attempts, partialText: '', context: null, timeoutMs: 1 } },
  durationMs: 1_000,
  waitedMs: 0,
  owner: '',
});

describe('createMetrics counts calls to Gemini', () => {
  it('by outcome, with attempts, tokens and times', async () => {
    metrics.onAskEnd(
      answer('flash', [
        { model: 'pro', durationMs: 1_000, failure: network },
        { model: 'flash', durationMs: 1_500, failure: null },
      ]),
    );
    metrics.onAskEnd(failure([]));
    expect(await samples('gemini_mcp_call')).toEqual([
      'gemini_mcp_calls_total{outcome="answered",tool="gemini_query"} 1',
      'gemini_mcp_calls_total{outcome="network",tool=""} 1',
      'gemini_mcp_call_duration_seconds_sum{outcome="answered"} 2.5',
      'gemini_mcp_call_duration_seconds_count{outcome="answered"} 1',
      'gemini_mcp_call_duration_seconds_sum{outcome="network"} 1',
      'gemini_mcp_call_duration_seconds_count{outcome="network"} 1',
      'gemini_mcp_call_wait_seconds_sum 0.5',
      'gemini_mcp_call_wait_seconds_count 2',
    ]);
    expect(await samples('gemini_mcp_attempt')).toEqual([
      'gemini_mcp_attempts_total{model="pro",outcome="network"} 1',
      'gemini_mcp_attempts_total{model="flash",outcome="answered"} 1',
      'gemini_mcp_attempt_duration_seconds_sum{model="pro"} 1',
      'gemini_mcp_attempt_duration_seconds_count{model="pro"} 1',
      'gemini_mcp_attempt_duration_seconds_sum{model="flash"} 1.5',
      'gemini_mcp_attempt_duration_seconds_count{model="flash"} 1',
    ]);
    expect(await samples('gemini_mcp_tokens')).toEqual([
      'gemini_mcp_tokens_total{model="flash",direction="input"} 100',
      'gemini_mcp_tokens_total{model="flash",direction="cached"} 0',
      'gemini_mcp_tokens_total{model="flash",direction="output"} 7',
      'gemini_mcp_tokens_total{model="flash",direction="thoughts"} 0',
    ]);
    expect(await samples('gemini_mcp_cost')).toEqual([]);
  });

  it('with the cost of models that have a price, of failed calls as well', async () => {
    const model = 'gemini-3.5-flash-lite';
    const usage = [{ model, inputTokens: 1_000_000, outputTokens: 100_000, thoughtTokens: 100_000, cachedTokens: 9 }];
    const failed = { failure: network, attempts: [], partialText: '', context: null, timeoutMs: 1, usage };
    metrics.onAskEnd({ ...failure([]), result: { ok: false, failed } });
    expect(await samples('gemini_mcp_cost')).toEqual([`gemini_mcp_cost_usd_total{model="${model}"} 0.8`]);
    expect(await samples('gemini_mcp_tokens')).toContain(
      `gemini_mcp_tokens_total{model="${model}",direction="thoughts"} 100000`,
    );
  });

  it('without a label for each name that a caller invents', async () => {
    for (let index = 0; index < 1_000; index += 1) {
      metrics.onAskEnd(failure([{ model: `made-up-${index}`, durationMs: 1, failure: network }]));
    }
    expect(await samples('gemini_mcp_attempts')).toEqual([
      'gemini_mcp_attempts_total{model="other",outcome="network"} 1000',
    ]);
  });

  it('and reads the queue and the sessions on request', async () => {
    queue = { running: 4, queued: 32 };
    sessions = 3;
    expect(await samples('gemini_mcp_queue')).toEqual(['gemini_mcp_queue_running 4', 'gemini_mcp_queue_waiting 32']);
    expect(await samples('gemini_mcp_sessions')).toEqual(['gemini_mcp_sessions 3']);
  });
});

describe('createMetrics counts children', () => {
  it('the current requests of the CLI', async () => {
    const runs = ['a', 'b', 'c'];
    for (const runId of runs) {
      const command = { file: 'gemini', arguments: [] };
      metrics.onRun({ type: 'started', runId, model: 'pro', command, directory: '/', environment: {}, input: '' });
      metrics.onRun({ type: 'text', runId, text: 'x' });
    }
    const end = { type: 'answer', ending: { type: 'complete' } } as const;
    metrics.onRun({ type: 'ended', runId: 'a', model: 'pro', durationMs: 1, end, outcome: null });
    expect(await samples('gemini_mcp_cli_runs')).toEqual(['gemini_mcp_cli_runs 2']);
  });

  it('and the warm processes', async () => {
    const ended = { type: 'ended', detail: '', sessions: 1, lifetimeMs: 1 } as const;
    const reports: readonly PoolReport[] = [
      { type: 'started', processId: 'a' },
      { type: 'started', processId: 'b' },
      { type: 'ready', processId: 'a', afterMs: 1 },
      { type: 'retried', processId: 'b', detail: '' },
      { ...ended, processId: 'b', reason: 'crashed' },
    ];
    for (const report of reports) {
      metrics.onPool(report);
    }
    expect(await samples('gemini_mcp_warm')).toEqual([
      'gemini_mcp_warm_processes 1',
      'gemini_mcp_warm_process_starts_total 2',
      'gemini_mcp_warm_process_ends_total{reason="crashed"} 1',
      'gemini_mcp_warm_retries_total 1',
    ]);
  });
});

describe('createMetrics counts requests', () => {
  /** Resolves when the response to the next request has ended and was counted. */
  function counted(): Promise<void> {
    return new Promise((resolve) => {
      served.server.once('request', (_, outgoing) => outgoing.once('close', () => setImmediate(resolve)));
    });
  }

  async function ask(path: string, method = 'GET'): Promise<void> {
    const done = counted();
    await fetch(served.url(path), { method }).then((response) => response.text());
    await done;
  }

  it("by route, method and status, never by the caller's text", async () => {
    served.app.get('/api/:name', (context) => context.json({}));
    await ask('/api/one');
    await ask('/api/two');
    await ask('/nowhere');
    await ask('/nowhere/else', 'REPORT');
    expect(await samples('gemini_mcp_http_requests')).toEqual([
      'gemini_mcp_http_requests_total{route="/api/:name",method="GET",status="200"} 2',
      'gemini_mcp_http_requests_total{route="unknown",method="GET",status="404"} 1',
      'gemini_mcp_http_requests_total{route="unknown",method="other",status="404"} 1',
    ]);
    expect(await samples('gemini_mcp_http_request_duration_seconds_count')).toHaveLength(3);
  });

  it('refusals, and failed authentication among them', async () => {
    served.app.get('/401', (context) => refuse(context, { status: 401, code: 'no-token', message: 'No.' }));
    served.app.get('/429', (context) => refuse(context, { status: 429, code: 'rate-limited', message: 'No.' }));
    await ask('/401');
    await ask('/429');
    metrics.onRefused('malformed-request');
    expect(await samples('gemini_mcp_http_refused')).toEqual([
      'gemini_mcp_http_refused_total{code="no-token"} 1',
      'gemini_mcp_http_refused_total{code="rate-limited"} 1',
      'gemini_mcp_http_refused_total{code="malformed-request"} 1',
    ]);
    expect(await samples('gemini_mcp_auth')).toEqual(['gemini_mcp_auth_failures_total{code="no-token"} 1']);
  });

  it('open streams', async () => {
    served.app.get('/stream', (context) =>
      streamSSE(context, async (stream) => {
        await stream.writeSSE({ data: 'first' });
        await new Promise<void>((resolve) => {
          stream.onAbort(resolve);
        });
      }),
    );
    const leaving = new AbortController();
    const done = counted();
    await fetch(served.url('/stream'), { signal: leaving.signal });
    expect(await samples('gemini_mcp_http_streams')).toEqual(['gemini_mcp_http_streams 1']);
    leaving.abort();
    await done;
    expect(await samples('gemini_mcp_http_streams')).toEqual(['gemini_mcp_http_streams 0']);
  });
});

describe('createMetrics answers', () => {
  it('in the Prometheus text format, with process metrics', async () => {
    served.app.get('/metrics', metrics.answer);
    const response = await fetch(served.url('/metrics'));
    expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^gemini_mcp_process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^gemini_mcp_nodejs_eventloop_lag_p99_seconds \d/m);
  });

  it('for itself only: nothing is counted for others in the process', async () => {
    const other = createMetrics({ clock: served.clock, modelChain: [], queueLoad: () => queue, sessions: () => 0 });
    metrics.onAskEnd(failure([]));
    expect(await other.render()).not.toContain('outcome="network"');
    expect(await register.getMetricsAsJSON()).toEqual([]);
  });
});
