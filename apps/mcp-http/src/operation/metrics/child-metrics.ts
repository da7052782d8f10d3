import type { PoolReport, RunReport } from '@gemini-mcp/adapters-node';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Counts the processes of the Gemini CLI, and the requests that they carry. */
export class ChildMetrics {
  readonly #runs: Gauge;
  readonly #warmProcesses: Gauge;
  readonly #warmStarts: Counter;
  readonly #warmEnds: Counter<'reason'>;
  readonly #warmRetries: Counter;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#runs = new Gauge({
      name: 'gemini_mcp_cli_runs',
      help: 'Requests that the Gemini CLI carries now, in processes of their own or in warm ones.',
      registers,
    });
    this.#warmProcesses = new Gauge({
      name: 'gemini_mcp_warm_processes',
      help: 'Warm processes of the Gemini CLI that there are now.',
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
      help: 'Requests that another warm process carried because theirs had ended.',
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
