import type { PoolReport, RunReport } from '@gemini-mcp/adapters-node';
import type { AskEnd, Attempt, Clock, ModelUsage } from '@gemini-mcp/core';
import { costOf, modelPrices, priceAt } from '@gemini-mcp/core/internal';
import type { Context, Handler, MiddlewareHandler } from 'hono';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HttpEnv } from '../http-env.ts';
import { whenResponseEnds } from '../limits/limit-concurrency.ts';
import { routeOf } from './log-requests.ts';

export type MetricsOptions = {
  readonly clock: Clock;
  /** Models with labels from the start; others get one after their first answer. */
  readonly modelChain: readonly string[];
  /** The numbers of running and waiting calls. */
  readonly queueLoad: () => { readonly running: number; readonly queued: number };
  /** The number of MCP sessions. */
  readonly sessions: () => number;
};

/** The counters, and the ways to read them. */
export type Metrics = {
  readonly onAskEnd: (end: AskEnd) => void;
  readonly onRun: (report: RunReport) => void;
  readonly onPool: (report: PoolReport) => void;
  /** Called with the code of each refusal outside the routes. */
  readonly onRefused: (code: string) => void;
  /** Counts requests; must run before anything that may refuse. */
  readonly middleware: MiddlewareHandler<HttpEnv>;
  /** Resolves to all metrics in the Prometheus text format. */
  readonly render: () => Promise<string>;
  /** `GET /metrics`. */
  readonly answer: Handler<HttpEnv>;
};

/** Creates independent metrics: two in one process share nothing. */
export function createMetrics({ clock, modelChain, queueLoad, sessions }: MetricsOptions): Metrics {
  const registry = new Registry();
  const requests = new RequestMetrics(registry, clock);
  const calls = new CallMetrics(registry, modelChain, clock);
  const children = new ChildMetrics(registry);
  addGauge(registry, 'gemini_mcp_queue_running', 'Calls that are running.', () => queueLoad().running);
  addGauge(registry, 'gemini_mcp_queue_waiting', 'Calls that wait for a slot.', () => queueLoad().queued);
  addGauge(registry, 'gemini_mcp_sessions', 'Current MCP sessions.', sessions);
  collectDefaultMetrics({ register: registry, prefix: 'gemini_mcp_' });
  return {
    onAskEnd: (end) => calls.record(end),
    onRun: (report) => children.recordRun(report),
    onPool: (report) => children.recordPool(report),
    onRefused: (code) => requests.recordRefusal(code),
    middleware: requests.middleware,
    render: () => registry.metrics(),
    answer: async (context) =>
      context.body(await registry.metrics(), 200, {
        'Content-Type': registry.contentType,
        'Cache-Control': 'no-store',
      }),
  };
}

/** A gauge that is read on request. */
function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** Calls to a model take from a second to many minutes. */
const callBuckets = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200];
const waitBuckets = [0, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Counts calls to Gemini, their attempts on models, and tokens. */
class CallMetrics {
  readonly #models: ModelLabels;
  readonly #calls: Counter<'outcome' | 'tool'>;
  readonly #callSeconds: Histogram<'outcome'>;
  readonly #waitSeconds: Histogram;
  readonly #attempts: Counter<'model' | 'outcome'>;
  readonly #attemptSeconds: Histogram<'model'>;
  readonly #tokens: Counter<'model' | 'direction'>;
  readonly #cost: Counter<'model'>;
  readonly #clock: Clock;

  constructor(registry: Registry, modelChain: readonly string[], clock: Clock) {
    const registers = [registry];
    this.#clock = clock;
    this.#models = new ModelLabels(modelChain);
    this.#calls = new Counter({
      name: 'gemini_mcp_calls_total',
      help: 'Calls to Gemini that have ended, by outcome (answered, or the kind of the failure) and tool.',
      labelNames: ['outcome', 'tool'],
      registers,
    });
    this.#callSeconds = new Histogram({
      name: 'gemini_mcp_call_duration_seconds',
      help: 'From the arrival of a call to its end.',
      labelNames: ['outcome'],
      buckets: callBuckets,
      registers,
    });
    this.#waitSeconds = new Histogram({
      name: 'gemini_mcp_call_wait_seconds',
      help: 'How long calls waited in the queue.',
      buckets: waitBuckets,
      registers,
    });
    this.#attempts = new Counter({
      name: 'gemini_mcp_attempts_total',
      help: 'Attempts of calls on models, by outcome.',
      labelNames: ['model', 'outcome'],
      registers,
    });
    this.#attemptSeconds = new Histogram({
      name: 'gemini_mcp_attempt_duration_seconds',
      help: 'How long attempts on models took.',
      labelNames: ['model'],
      buckets: callBuckets,
      registers,
    });
    this.#tokens = new Counter({
      name: 'gemini_mcp_tokens_total',
      help: 'Tokens of calls, by model and direction: input, cached (a part of the input), output, thoughts.',
      labelNames: ['model', 'direction'],
      registers,
    });
    this.#cost = new Counter({
      name: 'gemini_mcp_cost_usd_total',
      help: 'What the Gemini API charges for these tokens, in US dollars, for models with a known price.',
      labelNames: ['model'],
      registers,
    });
  }

  /** Called for each call that has ended. */
  record({ result, durationMs, waitedMs, origin }: AskEnd): void {
    const outcome = result.ok ? 'answered' : result.failed.failure.kind;
    this.#calls.inc({ outcome, tool: origin?.tool ?? '' });
    this.#callSeconds.observe({ outcome }, durationMs / 1_000);
    this.#waitSeconds.observe(waitedMs / 1_000);
    const { attempts, usage = [] } = result.ok ? result.answer : result.failed;
    for (const attempt of attempts) {
      this.#recordAttempt(attempt);
    }
    for (const used of usage) {
      this.#recordUsage(used);
    }
  }

  #recordAttempt({ model: name, durationMs, failure }: Attempt): void {
    if (failure === null) {
      this.#models.learn(name);
    }
    const model = this.#models.labelOf(name);
    this.#attempts.inc({ model, outcome: failure?.kind ?? 'answered' });
    this.#attemptSeconds.observe({ model }, durationMs / 1_000);
  }

  #recordUsage(usage: ModelUsage): void {
    const { model: name, inputTokens, outputTokens, cachedTokens = 0, thoughtTokens = 0 } = usage;
    this.#models.learn(name);
    const model = this.#models.labelOf(name);
    const counts = { input: inputTokens, cached: cachedTokens, output: outputTokens, thoughts: thoughtTokens };
    for (const [direction, tokens] of Object.entries(counts)) {
      this.#tokens.inc({ model, direction }, tokens);
    }
    const price = priceAt(name, this.#clock.now(), modelPrices);
    if (price !== null) {
      this.#cost.inc({ model }, costOf(usage, price));
    }
  }
}

/** How many models beyond those of the chain may get a label after answering. */
const maxFurtherModels = 20;

/** Callers invent model names, so only existing models become labels. */
export class ModelLabels {
  readonly #known: Set<string>;
  readonly #maxKnown: number;

  constructor(chain: readonly string[]) {
    this.#known = new Set(chain);
    this.#maxKnown = this.#known.size + maxFurtherModels;
  }

  /** The model answered, so it exists. */
  learn(model: string): void {
    if (this.#known.size < this.#maxKnown) {
      this.#known.add(model);
    }
  }

  /** The name itself if known, otherwise `other`. */
  labelOf(model: string): string {
    return this.#known.has(model) ? model : 'other';
  }
}

/** Counts the processes of the Gemini CLI and their requests. */
class ChildMetrics {
  readonly #runs: Gauge;
  readonly #warmProcesses: Gauge;
  readonly #warmStarts: Counter;
  readonly #warmEnds: Counter<'reason'>;
  readonly #warmRetries: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#runs = new Gauge({
      name: 'gemini_mcp_cli_runs',
      help: 'Requests that the Gemini CLI is running, in processes of their own or in warm ones.',
      registers,
    });
    this.#warmProcesses = new Gauge({
      name: 'gemini_mcp_warm_processes',
      help: 'Current warm processes of the Gemini CLI.',
      registers,
    });
    this.#warmStarts = new Counter({
      name: 'gemini_mcp_warm_process_starts_total',
      help: 'Warm processes that were started.',
      registers,
    });
    this.#warmEnds = new Counter({
      name: 'gemini_mcp_warm_process_ends_total',
      help: 'Warm processes that have ended, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#warmRetries = new Counter({
      name: 'gemini_mcp_warm_retries_total',
      help: 'Requests that were repeated in another warm process because theirs had ended.',
      registers,
    });
  }

  recordRun({ type }: RunReport): void {
    if (type === 'started') {
      this.#runs.inc();
    } else if (type === 'ended') {
      this.#runs.dec();
    }
  }

  recordPool(report: PoolReport): void {
    switch (report.type) {
      case 'started':
        this.#warmStarts.inc();
        this.#warmProcesses.inc();
        break;
      case 'ended':
        this.#warmEnds.inc({ reason: report.reason });
        this.#warmProcesses.dec();
        break;
      case 'retried':
        this.#warmRetries.inc();
        break;
      case 'ready':
        break;
    }
  }
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_200];

/** Others are a caller's invention. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts HTTP requests, their refusals, and open streams. */
class RequestMetrics {
  readonly #clock: Clock;
  readonly #requests: Counter<'route' | 'method' | 'status'>;
  readonly #seconds: Histogram<'route' | 'method'>;
  readonly #refused: Counter<'code'>;
  readonly #authFailures: Counter<'code'>;
  readonly #streams: Gauge;

  constructor(registry: Registry, clock: Clock) {
    const registers = [registry];
    this.#clock = clock;
    this.#requests = new Counter({
      name: 'gemini_mcp_http_requests_total',
      help: 'HTTP requests that were answered, by route, method and status.',
      labelNames: ['route', 'method', 'status'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'gemini_mcp_http_request_duration_seconds',
      help: 'From the arrival of a request to the end of its response.',
      labelNames: ['route', 'method'],
      buckets: requestBuckets,
      registers,
    });
    this.#refused = new Counter({
      name: 'gemini_mcp_http_refused_total',
      help: 'HTTP requests and connections that were refused, by code.',
      labelNames: ['code'],
      registers,
    });
    this.#authFailures = new Counter({
      name: 'gemini_mcp_auth_failures_total',
      help: 'HTTP requests that were refused with 401 or 403, by code.',
      labelNames: ['code'],
      registers,
    });
    this.#streams = new Gauge({
      name: 'gemini_mcp_http_streams',
      help: 'Open event streams.',
      registers,
    });
  }

  /** Called with the code of a refusal without a request. */
  recordRefusal(code: string): void {
    this.#refused.inc({ code });
  }

  /** Must run before anything that may refuse. */
  readonly middleware: MiddlewareHandler<HttpEnv> = async (context, next) => {
    const startedAtMs = this.#clock.now();
    const { outgoing } = context.env;
    whenResponseEnds(outgoing, () => this.#record(context, startedAtMs));
    await next();
    if (context.res.headers.get('content-type')?.startsWith('text/event-stream') === true) {
      this.#streams.inc();
      whenResponseEnds(outgoing, () => this.#streams.dec());
    }
  };

  #record(context: Context<HttpEnv>, startedAtMs: number): void {
    const { outgoing } = context.env;
    const route = routeOf(context);
    const method = methods.has(context.req.method) ? context.req.method : 'other';
    this.#requests.inc({ route, method, status: String(outgoing.statusCode) });
    this.#seconds.observe({ route, method }, (this.#clock.now() - startedAtMs) / 1_000);
    const code = context.get('refusedAs');
    if (code === undefined) {
      return;
    }
    this.#refused.inc({ code });
    if (outgoing.statusCode === 401 || outgoing.statusCode === 403) {
      this.#authFailures.inc({ code });
    }
  }
}
