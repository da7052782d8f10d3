import type { Clock } from '@gemini-mcp/core';
import type { Context, MiddlewareHandler } from 'hono';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { HttpEnv } from '../../http-env.ts';
import { whenResponseEnds } from '../../limits/when-response-ends.ts';
import { routeOf } from '../route-of.ts';

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_200];

/** Others are a caller's invention. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts HTTP requests, what was refused of them, and the streams that are open. */
export class RequestMetrics {
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
      help: 'Responses that are event streams and open now.',
      registers,
    });
  }

  /** To be told the code of what was refused before there was a request. */
  recordRefusal(code: string): void {
    this.#refused.inc({ code });
  }

  /** To be put before all that may refuse. */
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
