import type { Surface } from '@gemini-mcp/mcp';
import type { Reach } from '@gemini-mcp/server';
import type { Principal } from '../access/principal.ts';

/** What each principal is offered, made when it is first asked for. Principals of one reach share a surface. */
export class Surfaces {
  readonly #compose: (reach: Reach) => Surface;
  readonly #byReach = new Map<string, Surface>();

  constructor(compose: (reach: Reach) => Surface) {
    this.#compose = compose;
  }

  of(principal: Principal): Surface {
    const reach = reachOf(principal);
    const key = keyOf(reach);
    const surface = this.#byReach.get(key) ?? this.#compose(reach);
    this.#byReach.set(key, surface);
    return surface;
  }
}

/** Equal for two principals when they are the same one, and may reach the same. */
export function bindingOf(principal: Principal): string {
  return `${principal.owner} ${keyOf(reachOf(principal))}`;
}

/**
 * Roots have no meaning for principals that may read nothing: all of those share one surface. Yolo is for those alone who may read
 * all that the server may: roots do not hold it back.
 */
export function reachOf({ roots: own, scopes }: Principal): Reach {
  const mayReadFiles = scopes.has('gemini:files') && own?.length !== 0;
  const roots = mayReadFiles ? own : null;
  return { roots, mayReadFiles, noFilesText: null, allowsYolo: roots === null };
}

function keyOf(reach: Reach): string {
  return JSON.stringify(reach);
}
