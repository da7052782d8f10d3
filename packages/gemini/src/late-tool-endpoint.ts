import type { LendingEndpoint } from '@gemini-mcp/agent-tools/lending';
import type { Clock, Lending, LendingRequest, ToolEndpoint } from '@gemini-mcp/core';

/** Lends the CLI the tools of runs. It is loaded with the first of them: most programs only ask. */
export class LateToolEndpoint implements ToolEndpoint {
  readonly #clock: Clock;
  #endpoint: Promise<LendingEndpoint> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async open(request: LendingRequest, signal: AbortSignal): Promise<Lending> {
    const loading = this.#endpoint ?? this.#load();
    this.#endpoint = loading;
    loading.catch(() => {
      this.#endpoint = null;
    });
    const endpoint = await loading;
    signal.throwIfAborted();
    return await endpoint.open(request, signal);
  }

  /** Closes all addresses and the port. */
  async close(): Promise<void> {
    const endpoint = await this.#endpoint?.catch(() => null);
    await endpoint?.close();
  }

  async #load(): Promise<LendingEndpoint> {
    const { LendingEndpoint: Loaded } = await import('@gemini-mcp/agent-tools/lending');
    return new Loaded({ clock: this.#clock, log: () => undefined });
  }
}
