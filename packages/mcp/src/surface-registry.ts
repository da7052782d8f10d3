import { ErrorCode, type Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { concealError } from './conceal-error.ts';
import type { McpLog } from './mcp-log.ts';
import { presentTool } from './present-tool.ts';
import type { Prompt } from './prompts/prompt.ts';
import type { ResourceShelf } from './resources/resource-shelf.ts';
import { RpcError } from './rpc-error.ts';
import type { Surface } from './surface.ts';
import type { Tool } from './tool.ts';

/** The surface of a server, ready to be listed and used. */
export type LoadedSurface = {
  /** Sorted by name. */
  readonly listedTools: readonly ListedTool[];
  readonly tools: ReadonlyMap<string, Tool>;
  /** In order of name. */
  readonly prompts: ReadonlyMap<string, Prompt>;
  readonly shelves: readonly ResourceShelf[];
};

export type SurfaceRegistryOptions = {
  readonly loadSurface: () => Promise<Surface>;
  readonly log: McpLog;
};

/** Loads the surface when it is first needed: a client's `initialize` is answered without it. */
export class SurfaceRegistry {
  readonly #loadSurface: SurfaceRegistryOptions['loadSurface'];
  readonly #log: McpLog;
  #loaded: Promise<LoadedSurface> | null = null;

  constructor(options: SurfaceRegistryOptions) {
    this.#loadSurface = options.loadSurface;
    this.#log = options.log;
  }

  /** Loads once, for all who ask. Rejects with an `RpcError` where that fails; whoever asks after that makes it try again. */
  load(): Promise<LoadedSurface> {
    this.#loaded ??= this.#loadAll().catch((error: unknown) => {
      this.#loaded = null;
      const text = concealError({ event: 'surface-unavailable', subject: null, error }, this.#log);
      throw new RpcError(ErrorCode.InternalError, text);
    });
    return this.#loaded;
  }

  async #loadAll(): Promise<LoadedSurface> {
    return makeReady(await this.#loadSurface());
  }
}

/** Over HTTP many servers, one for each request, offer the same surface. */
const readySurfaces = new WeakMap<Surface, LoadedSurface>();

function makeReady(surface: Surface): LoadedSurface {
  const ready = readySurfaces.get(surface) ?? presentSurface(surface);
  readySurfaces.set(surface, ready);
  return ready;
}

function presentSurface(surface: Surface): LoadedSurface {
  const tools = byName('tools', surface.tools);
  return {
    listedTools: [...tools.values()].map(presentTool),
    tools,
    prompts: byName('prompts', surface.prompts),
    shelves: surface.resources,
  };
}

function byName<Item extends { readonly name: string }>(
  kind: string,
  items: readonly Item[],
): ReadonlyMap<string, Item> {
  const sorted = [...items].sort((a, b) => (a.name < b.name ? -1 : 1));
  const map = new Map(sorted.map((item) => [item.name, item]));
  if (map.size !== items.length) {
    throw new Error(`Two ${kind} have the same name`);
  }
  return map;
}
