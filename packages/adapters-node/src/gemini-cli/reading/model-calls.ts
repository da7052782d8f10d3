import { type ModelUsage, parseAnswerEnding } from '@gemini-mcp/core';
import { addUsage } from '@gemini-mcp/core/internal';
import type { ModelCall, ModelCallUsage } from '../inside-the-cli/model-call.ts';
import type { CliOutcome } from './cli-outcome.ts';

/** The requests of one run to models, as they were reported: how the last one ended, and what all of them used. */
export class ModelCalls {
  #last: ModelCall | null = null;
  #usage: readonly ModelUsage[] = [];

  add(call: ModelCall): void {
    if (call.isStreamed) {
      this.#last = call;
    }
    const { model, modelVersion, usage } = call;
    const name = modelVersion ?? model;
    if (call.isWhole && usage !== null && name !== null) {
      this.#usage = addUsage([...this.#usage, { model: name, ...toldCounts(usage) }]);
    }
  }

  /** What the last request of the answer says about the outcome: nothing where there was none, or it failed. */
  get ending(): Pick<CliOutcome, 'ending' | 'modelVersion'> {
    if (this.#last?.isWhole !== true) {
      return {};
    }
    const { modelVersion } = this.#last;
    return { ending: parseAnswerEnding(this.#last), ...(modelVersion !== null && { modelVersion }) };
  }

  /** What the model was given with the last request of the answer; 0 where that was not told. */
  get lastInputTokens(): number {
    return this.#last?.usage?.inputTokens ?? 0;
  }

  /** By model. In the place of `told` by the CLI, which leaves thoughts out, and requests of tools in the session mode. */
  usageOr(told: readonly ModelUsage[]): readonly ModelUsage[] {
    return this.#usage.length === 0 ? told : this.#usage;
  }
}

/** The API leaves out what is 0, as it leaves out what it does not count: neither is worth telling. */
function toldCounts({ inputTokens, outputTokens, ...more }: ModelCallUsage): Omit<ModelUsage, 'model'> {
  const told = Object.fromEntries(Object.entries(more).filter(([, tokens]) => tokens > 0));
  return { inputTokens, outputTokens, ...told };
}
