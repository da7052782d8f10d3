import type { ScriptedToolSession } from '@gemini-mcp/core/testing';
import type { ModelCall, ToolSessionHooks } from '../gemini-runner/gemini-runner-harness.ts';

/** Remembers what scripted models see of the tools that runs lend. */
export class ScriptedProviderFactory implements ToolSessionHooks {
  readonly #offered: (readonly string[])[] = [];
  readonly #results: (readonly string[])[] = [];

  /** What a model does that makes these calls. */
  lend(rounds: readonly (readonly ModelCall[])[]): ScriptedToolSession {
    return {
      rounds,
      onOffered: (names) => this.#offered.push(names),
      onResults: (results) => this.#results.push(results.map(({ text }) => text)),
    };
  }

  offered(): readonly (readonly string[])[] {
    return this.#offered;
  }

  results(): readonly (readonly string[])[] {
    return this.#results;
  }
}
