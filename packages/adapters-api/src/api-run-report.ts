import { randomUUID } from 'node:crypto';
import type { Clock, RunEnd, RunEvent, RunRequest } from '@gemini-mcp/core';
import type { ApiLogin } from './api-login.ts';

/** A log entry about one run over the API: one for the start, one for what it received, one for the end. */
export type ApiRunReport =
  | {
      readonly type: 'started';
      readonly runId: string;
      readonly model: string;
      readonly login: ApiLogin['type'];
      /** Redact this from everything shown of the run. */
      readonly secrets: readonly string[];
      readonly input: string;
    }
  | { readonly type: 'text'; readonly runId: string; readonly text: string }
  | {
      readonly type: 'ended';
      readonly runId: string;
      readonly model: string;
      readonly durationMs: number;
      readonly end: RunEnd;
    };

export type RunReporterOptions = {
  readonly clock: Clock;
  readonly request: RunRequest;
  readonly onRun: (report: ApiRunReport) => void;
};

/** Reports one run, from its start on. */
export class RunReporter {
  readonly #options: RunReporterOptions;
  readonly #runId = randomUUID();
  readonly #startedAtMs: number;
  #isOver = false;

  constructor(options: RunReporterOptions, login: ApiLogin) {
    this.#options = options;
    this.#startedAtMs = options.clock.now();
    const { model, input } = options.request;
    const secrets = login.type === 'vertex-project' ? [] : [login.apiKey];
    options.onRun({ type: 'started', runId: this.#runId, model, login: login.type, secrets, input });
  }

  hear(event: RunEvent): void {
    if (event.type === 'text') {
      this.#options.onRun({ type: 'text', runId: this.#runId, text: event.text });
    } else if (event.type === 'answer' || event.type === 'failure') {
      this.#tellEnd(event);
    }
  }

  /** A run without a reader for its end was cancelled. */
  close(): void {
    if (!this.#isOver) {
      this.#tellEnd({ type: 'failure', failure: { kind: 'cancelled' } });
    }
  }

  #tellEnd(end: RunEnd): void {
    const { clock, request, onRun } = this.#options;
    this.#isOver = true;
    const durationMs = clock.now() - this.#startedAtMs;
    onRun({ type: 'ended', runId: this.#runId, model: request.model, durationMs, end });
  }
}
