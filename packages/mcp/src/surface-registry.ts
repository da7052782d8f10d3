import { ErrorCode, type Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ClientRootUris } from './client-root-uris.ts';
import type { ClientRoots } from './client-roots.ts';
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
  /** Called again where the client's roots are others than before. */
  readonly loadSurface: (roots: ClientRootUris) => Promise<Surface>;
  /** Null where the client is not asked for its roots. */
  readonly clientRoots: Pick<ClientRoots, 'known' | 'settled'> | null;
  readonly log: McpLog;
};

/** Loads the surface when it is first needed: a client's `initialize` is answered without it. */
export class SurfaceRegistry {
  readonly #loadSurface: SurfaceRegistryOptions['loadSurface'];
  readonly #clientRoots: SurfaceRegistryOptions['clientRoots'];
  readonly #log: McpLog;
  #loaded: { readonly key: string; readonly surface: Promise<LoadedSurface> } | null = null;

  constructor(options: SurfaceRegistryOptions) {
    this.#loadSurface = options.loadSurface;
    this.#clientRoots = options.clientRoots;
    this.#log = options.log;
  }

  /** Loads once, for all who ask. Rejects with an `RpcError` where that fails; whoever asks after that makes it try again. */
  load(): Promise<LoadedSurface> {
    return this.#loadFor(this.#clientRoots?.known ?? null);
  }

  /** The same for what may read files: waits a while where the client has still to say which. */
  async loadWithRoots(signal: AbortSignal): Promise<LoadedSurface> {
    return this.#loadFor((await this.#clientRoots?.settled(signal)) ?? null);
  }

  #loadFor(roots: ClientRootUris): Promise<LoadedSurface> {
    const key = JSON.stringify(roots);
    if (this.#loaded?.key !== key) {
      this.#loaded = { key, surface: this.#loadAll(roots) };
    }
    return this.#loaded.surface;
  }

  async #loadAll(roots: ClientRootUris): Promise<LoadedSurface> {
    try {
      return makeReady(await this.#loadSurface(roots));
    } catch (error) {
      this.#loaded = null;
      const text = concealError({ event: 'surface-unavailable', subject: null, error }, this.#log);
      throw new RpcError(ErrorCode.InternalError, text);
    }
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
