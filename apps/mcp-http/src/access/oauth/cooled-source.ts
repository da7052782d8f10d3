import type { Clock } from '@gemini-mcp/core';
import { IssuerUnavailable } from './issuer-unavailable.ts';

export type CooledSourceOptions = {
  readonly clock: Pick<Clock, 'now'>;
  /** How long after a failure the source is not asked again. */
  readonly coolDownMs: number;
  /** Told of each failure, not of those that only repeat it. */
  readonly onFailure: (reason: string) => void;
};

/**
 * Keeps what fails from being asked all the time: a sender of tokens decides how often we would ask the issuer. Rejects
 * with `IssuerUnavailable`.
 */
export class CooledSource {
  readonly #options: CooledSourceOptions;
  #failed: { readonly atMs: number; readonly reason: string } | null = null;

  constructor(options: CooledSourceOptions) {
    this.#options = options;
  }

  async ask<Answer>(source: () => Promise<Answer>): Promise<Answer> {
    const { clock, coolDownMs, onFailure } = this.#options;
    if (this.#failed !== null && clock.now() < this.#failed.atMs + coolDownMs) {
      throw new IssuerUnavailable(this.#failed.reason);
    }
    try {
      return await source();
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'failed';
      this.#failed = { atMs: clock.now(), reason };
      onFailure(reason);
      throw new IssuerUnavailable(reason, { cause: error });
    }
  }
}
