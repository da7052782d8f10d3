import type { ToolHost } from '@gemini-mcp/server';

/** What serves the tools, opened when it is first asked for. */
export class LateToolHost {
  readonly #open: () => Promise<ToolHost | null>;
  #opened: Promise<ToolHost | null> | null = null;

  constructor(open: () => Promise<ToolHost | null>) {
    this.#open = open;
  }

  /** Null where no one may work on projects. */
  get(): Promise<ToolHost | null> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Ends every workspace, where there is any. */
  async close(): Promise<void> {
    const host = await this.#opened;
    await host?.tools.close();
  }
}
