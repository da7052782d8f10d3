import type { PoolReport, RunReport } from '@gemini-mcp/adapters-node';
import type { AskEnd, Clock } from '@gemini-mcp/core';
import type { Handler, MiddlewareHandler } from 'hono';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { HttpEnv } from '../../http-env.ts';
import { CallMetrics } from './call-metrics.ts';
import { ChildMetrics } from './child-metrics.ts';
import { RequestMetrics } from './request-metrics.ts';

export type MetricsOptions = {
  readonly clock: Clock;
  /** Models that are told apart from the start; others only once they have answered. */
  readonly modelChain: readonly string[];
  /** How many calls run and wait now. */
  readonly queueLoad: () => { readonly running: number; readonly queued: number };
  /** How many MCP sessions there are now. */
  readonly sessions: () => number;
};

/** What is counted, and the ways to tell it. */
export type Metrics = {
  readonly onAskEnd: (end: AskEnd) => void;
  readonly onRun: (report: RunReport) => void;
  readonly onPool: (report: PoolReport) => void;
  /** Told the code of each refusal that no route has made. */
  readonly onRefused: (code: string) => void;
  /** Counts requests; to be put before all that may refuse. */
  readonly middleware: MiddlewareHandler<HttpEnv>;
  /** Resolves to all of it in the text format of Prometheus. */
  readonly render: () => Promise<string>;
  /** `GET /metrics`. */
  readonly answer: Handler<HttpEnv>;
};

/** Makes a set of metrics of its own: two of them in one process know nothing of each other. */
export function createMetrics({ clock, modelChain, queueLoad, sessions }: MetricsOptions): Metrics {
  const registry = new Registry();
  const requests = new RequestMetrics(registry, clock);
  const calls = new CallMetrics(registry, modelChain);
  const children = new ChildMetrics(registry);
  addGauge(registry, 'gemini_mcp_queue_running', 'Calls that run now.', () => queueLoad().running);
  addGauge(registry, 'gemini_mcp_queue_waiting', 'Calls that wait for a place now.', () => queueLoad().queued);
  addGauge(registry, 'gemini_mcp_sessions', 'MCP sessions that there are now.', sessions);
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

/** A number that is looked at when somebody asks. */
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
