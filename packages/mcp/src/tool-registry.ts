import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { presentTool } from './present-tool.ts';
import type { Tool } from './tool.ts';

/** The tools of a server, ready to be listed and called. */
export type LoadedTools = {
  /** Sorted by name. */
  readonly listed: readonly ListedTool[];
  readonly byName: ReadonlyMap<string, Tool>;
};

/** Loads the tools when they are first needed: a client's `initialize` is answered without them. */
export class ToolRegistry {
  readonly #loadTools: () => Promise<readonly Tool[]>;
  #loaded: Promise<LoadedTools> | null = null;

  constructor(options: { readonly loadTools: () => Promise<readonly Tool[]> }) {
    this.#loadTools = options.loadTools;
  }

  /** Loads once, for all who ask. Rejects as the loader does; whoever asks after that makes it try again. */
  load(): Promise<LoadedTools> {
    this.#loaded ??= this.#loadAll().catch((error: unknown) => {
      this.#loaded = null;
      throw error;
    });
    return this.#loaded;
  }

  async #loadAll(): Promise<LoadedTools> {
    const tools = [...(await this.#loadTools())].sort((a, b) => (a.name < b.name ? -1 : 1));
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    if (byName.size !== tools.length) {
      throw new Error('Two tools have the same name');
    }
    return { listed: tools.map(presentTool), byName };
  }
}
