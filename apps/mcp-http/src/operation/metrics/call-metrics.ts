import type { AskEnd, Attempt, ModelUsage } from '@gemini-mcp/core';
import { Counter, Histogram, type Registry } from 'prom-client';
import { ModelLabels } from './model-labels.ts';

/** Calls to a model take from a second to many minutes. */
const callBuckets = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200];
const waitBuckets = [0, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Counts calls to Gemini, the runs of models that they took, and the tokens. */
export class CallMetrics {
  readonly #models: ModelLabels;
  readonly #calls: Counter<'outcome'>;
  readonly #callSeconds: Histogram<'outcome'>;
  readonly #waitSeconds: Histogram;
  readonly #attempts: Counter<'model' | 'outcome'>;
  readonly #attemptSeconds: Histogram<'model'>;
  readonly #tokens: Counter<'model' | 'direction'>;

  constructor(registry: Registry, modelChain: readonly string[]) {
    const registers = [registry];
    this.#models = new ModelLabels(modelChain);
    this.#calls = new Counter({
      name: 'gemini_mcp_calls_total',
      help: 'Calls to Gemini that have ended, by outcome: answered, or the kind of the failure.',
      labelNames: ['outcome'],
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
      help: 'Runs of a model on behalf of a call, by outcome.',
      labelNames: ['model', 'outcome'],
      registers,
    });
    this.#attemptSeconds = new Histogram({
      name: 'gemini_mcp_attempt_duration_seconds',
      help: 'How long runs of a model took.',
      labelNames: ['model'],
      buckets: callBuckets,
      registers,
    });
    this.#tokens = new Counter({
      name: 'gemini_mcp_tokens_total',
      help: 'Tokens of calls that were answered, by model and direction (input, output).',
      labelNames: ['model', 'direction'],
      registers,
    });
  }

  /** To be told of each call that has ended. */
  record({ result, durationMs, waitedMs }: AskEnd): void {
    const outcome = result.ok ? 'answered' : result.failed.failure.kind;
    this.#calls.inc({ outcome });
    this.#callSeconds.observe({ outcome }, durationMs / 1_000);
    this.#waitSeconds.observe(waitedMs / 1_000);
    for (const attempt of result.ok ? result.answer.attempts : result.failed.attempts) {
      this.#recordAttempt(attempt);
    }
    for (const usage of result.ok ? result.answer.usage : []) {
      this.#recordUsage(usage);
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

  #recordUsage({ model: name, inputTokens, outputTokens }: ModelUsage): void {
    this.#models.learn(name);
    const model = this.#models.labelOf(name);
    this.#tokens.inc({ model, direction: 'input' }, inputTokens);
    this.#tokens.inc({ model, direction: 'output' }, outputTokens);
  }
}
