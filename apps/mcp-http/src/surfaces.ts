import type { Surface, SurfaceSource } from '@gemini-mcp/mcp';
import type { ComposedServer, Reach } from '@gemini-mcp/server';
import type { Principal } from './access/principal.ts';

type SurfaceParts = Pick<ComposedServer, 'surfaceOf'> & {
  /** Null without upstream servers. */
  readonly offeredTo: ComposedServer['offeredTo'] | null;
};

/** The surface of each principal, created on first use. */
export class Surfaces {
  readonly #parts: SurfaceParts;
  readonly #byReach = new Map<string, Surface>();

  constructor(parts: SurfaceParts) {
    this.#parts = parts;
  }

  /** Our part of it. Principals of one reach share it. */
  of(principal: Principal): Surface {
    const reach = reachOf(principal);
    const key = keyOf(reach);
    const surface = this.#byReach.get(key) ?? this.#parts.surfaceOf(reach);
    this.#byReach.set(key, surface);
    return surface;
  }

  /** The whole surface, with the tools of this principal's upstream servers if permitted. */
  sourceOf(principal: Principal): Surface | SurfaceSource {
    const surface = this.of(principal);
    const offered = mayUseServers(principal) ? this.#parts.offeredTo?.(principal.owner) : undefined;
    return offered?.over({ current: () => Promise.resolve(surface) }) ?? surface;
  }
}

/** Equal only for the same principal with the same reach. */
export function bindingOf(principal: Principal): string {
  return `${principal.owner} ${keyOf(reachOf(principal))} ${mayUseServers(principal)}`;
}

/**
 * Roots do not matter for principals without file access, which share one surface. Only principals with the server's whole
 * reach get yolo: roots do not restrict it.
 */
export function reachOf({ roots: own, scopes }: Principal): Reach {
  const mayReadFiles = scopes.has('gemini:files') && own?.length !== 0;
  const roots = mayReadFiles ? own : null;
  return { roots, mayReadFiles, noFilesText: null, allowsYolo: roots === null };
}

function mayUseServers({ scopes }: Principal): boolean {
  return scopes.has('gemini:servers');
}

function keyOf(reach: Reach): string {
  return JSON.stringify(reach);
}
