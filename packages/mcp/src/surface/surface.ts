import type { Prompt } from './prompt.ts';
import type { ResourceProvider } from './resource-provider.ts';
import type { ClientRootUris } from './surface-context.ts';
import type { Tool } from './tool.ts';

/** All that a server offers its clients. Names of tools and of prompts, and URIs of templates, are unique. */
export type Surface = {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  /** Asked in this order: the first shelf that has the resource answers. */
  readonly resources: readonly ResourceProvider[];
};

/**
 * A surface that can change while connections are open. Each client or principal has a source of its own: what one of them is
 * told of a change never reaches another.
 */
export type SurfaceSource = {
  /**
   * What is offered now to a client that has named these roots (null over HTTP, and where it has named none). Called when a client
   * first needs the surface, and after each change. Where it rejects, the request that needed the surface gets an error, and the
   * next request calls it again. Parts that have not changed should be the same objects as before: they are compared sooner.
   */
  current(clientRoots: ClientRootUris): Promise<Surface>;
  /**
   * Calls `listener` whenever `current` may give something else, as often as you like: a burst is told as one change. Returns a
   * function that ends this; it is called when the connection ends. Leave it out where nothing changes but the client's roots.
   */
  onChange?(listener: () => void): () => void;
};

/** A surface that never changes is a source as well. */
export function sourceOf(surface: Surface | SurfaceSource): SurfaceSource {
  return 'current' in surface ? surface : { current: () => Promise.resolve(surface) };
}
