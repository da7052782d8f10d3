import { errorCodes, RpcError } from '../input/request-params.ts';
import type { SurfaceSource } from '../surface/surface.ts';
import type { ClientRootUris } from '../surface/surface-context.ts';
import { concealError } from './conceal-error.ts';
import type { ListName } from './loaded-surface.ts';
import { type LoadedSurface, makeReady } from './loaded-surface.ts';
import type { McpLog } from './mcp-log.ts';

/** The roots of a client that is asked for them. */
type KnownRoots = {
  /** The roots known so far. */
  readonly known: ClientRootUris;
  /** The roots once the client has answered or its time is over. Never rejects. */
  settled(signal: AbortSignal): Promise<ClientRootUris>;
};

export type SurfaceRegistryOptions = {
  readonly source: Pick<SurfaceSource, 'current'>;
  /** Null if the client is not asked for its roots. */
  readonly clientRoots: KnownRoots | null;
  readonly log: McpLog;
};

type Loading = { readonly key: string; readonly surface: Promise<LoadedSurface> };

/**
 * Loads the surface of one connection when it is first needed: a client's `initialize` is answered without it. The loaded surface
 * serves until the client's roots or the surface change.
 */
export class SurfaceRegistry {
  /** Which surface the client has read each list from, until it gets a notice that the list has changed. */
  readonly listed: Map<ListName, LoadedSurface> = new Map();
  /** Called when a list that the client has read may be out of date. */
  onOutdated: () => void = () => undefined;

  readonly #source: SurfaceRegistryOptions['source'];
  readonly #clientRoots: SurfaceRegistryOptions['clientRoots'];
  readonly #log: McpLog;
  #loading: Loading | null = null;

  constructor(options: SurfaceRegistryOptions) {
    this.#source = options.source;
    this.#clientRoots = options.clientRoots;
    this.#log = options.log;
  }

  /** Loads once for all requests. Rejects with an `RpcError` if that fails; the next request tries again. */
  load(): Promise<LoadedSurface> {
    return this.#loadFor(this.#clientRoots?.known ?? null).surface;
  }

  /** The same for a request for this list. */
  async loadFor(list: ListName): Promise<LoadedSurface> {
    const loading = this.#loadFor(this.#clientRoots?.known ?? null);
    const surface = await loading.surface;
    this.listed.set(list, surface);
    if (loading !== this.#loading) {
      this.onOutdated();
    }
    return surface;
  }

  /** The same for a request that may read files: waits a while if the client has yet to send its roots. */
  async loadWithRoots(signal: AbortSignal): Promise<LoadedSurface> {
    return this.#loadFor((await this.#clientRoots?.settled(signal)) ?? null).surface;
  }

  /** Makes the next request load again. */
  noteChange(): void {
    this.#loading = null;
    this.onOutdated();
  }

  #loadFor(roots: ClientRootUris): Loading {
    const key = JSON.stringify(roots);
    if (this.#loading?.key !== key) {
      const loading = { key, surface: this.#loadAll(roots) };
      this.#loading = loading;
      loading.surface.catch(() => {
        this.#loading = this.#loading === loading ? null : this.#loading;
      });
    }
    return this.#loading;
  }

  async #loadAll(roots: ClientRootUris): Promise<LoadedSurface> {
    try {
      return await makeReady(await this.#source.current(roots));
    } catch (error) {
      const text = concealError({ event: 'surface-unavailable', subject: null, error }, this.#log);
      throw new RpcError(errorCodes.internalError, text);
    }
  }
}
