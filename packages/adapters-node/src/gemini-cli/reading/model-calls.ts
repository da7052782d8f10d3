import { type ModelUsage, parseAnswerEnding } from '@gemini-mcp/core';
import { addUsage } from '@gemini-mcp/core/internal';
import type { ModelCall, ModelCallUsage } from '../inside-the-cli/model-call.ts';
import type { CliOutcome } from './cli-outcome.ts';

/** The reported model requests of one run: how the last one ended, and the token usage of all. */
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

  /** The outcome of the answer's last request; empty without a request, or if it failed. */
  get ending(): Pick<CliOutcome, 'ending' | 'modelVersion'> {
    if (this.#last?.isWhole !== true) {
      return {};
    }
    const { modelVersion } = this.#last;
    return { ending: parseAnswerEnding(this.#last), ...(modelVersion !== null && { modelVersion }) };
  }

  /** Input tokens of the answer's last request; 0 if not reported. */
  get lastInputTokens(): number {
    return this.#last?.usage?.inputTokens ?? 0;
  }

  /** Usage by model. Replaces the CLI's own figures, which leave out thoughts, and the requests of tools in the session mode. */
  usageOr(told: readonly ModelUsage[]): readonly ModelUsage[] {
    return this.#usage.length === 0 ? told : this.#usage;
  }
}

/** The API omits zero counts as well as those that it does not track: report neither. */
function toldCounts({ inputTokens, outputTokens, ...more }: ModelCallUsage): Omit<ModelUsage, 'model'> {
  const told = Object.fromEntries(Object.entries(more).filter(([, tokens]) => tokens > 0));
  return { inputTokens, outputTokens, ...told };
}
