import type { LoopbackMcpServer } from '@gemini-mcp/agent-tools/loopback';
import type { Clock, LoopbackToolServer, ToolSession, ToolSessionRequest } from '@gemini-mcp/core';

/** Offers the CLI the tools of runs. Loaded with the first such run, because most programs only ask. */
export class LazyLoopbackToolServer implements LoopbackToolServer {
  readonly #clock: Clock;
  #endpoint: Promise<LoopbackMcpServer> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async open(request: ToolSessionRequest, signal: AbortSignal): Promise<ToolSession> {
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

  async #load(): Promise<LoopbackMcpServer> {
    const { LoopbackMcpServer: Loaded } = await import('@gemini-mcp/agent-tools/loopback');
    return new Loaded({ clock: this.#clock, log: () => undefined });
  }
}
