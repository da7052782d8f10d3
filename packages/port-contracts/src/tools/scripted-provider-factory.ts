import type { ScriptedToolSession } from '@gemini-mcp/core/testing';
import type { ModelCall, ToolSessionHooks } from '../gemini-runner/gemini-runner-harness.ts';

/** Remembers what scripted models see of model tools. */
export class ScriptedProviderFactory implements ToolSessionHooks {
  readonly #offered: (readonly string[])[] = [];
  readonly #results: (readonly string[])[] = [];

  /** A model that makes these calls. */
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
