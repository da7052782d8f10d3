import type { Prompt } from './prompt.ts';
import type { ResourceProvider } from './resource-provider.ts';
import type { ClientRootUris } from './surface-context.ts';
import type { Tool } from './tool.ts';

/** Everything that a server offers its clients. Names of tools and of prompts, and URIs of templates, are unique. */
export type Surface = {
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  /** Asked in this order: the first provider that has the resource answers. */
  readonly resources: readonly ResourceProvider[];
};

/**
 * A surface that can change while connections are open. Each client or principal has its own source, so that no client gets
 * another's change notices.
 */
export type SurfaceSource = {
  /**
   * The current surface for a client with these roots (null over HTTP, and for a client without roots). Called when a client first
   * needs the surface, and after each change. If it rejects, the waiting request fails and the next request calls it again. Return the
   * same objects for unchanged parts: they are faster to compare.
   */
  current(clientRoots: ClientRootUris): Promise<Surface>;
  /**
   * Calls `listener` whenever `current` may return something else, as often as you like: a burst leads to one notice. Returns a
   * function that unsubscribes; it is called when the connection ends. Omit it if nothing but the client's roots changes the surface.
   */
  onChange?(listener: () => void): () => void;
};

/** Turns a surface that never changes into a source. */
export function sourceOf(surface: Surface | SurfaceSource): SurfaceSource {
  return 'current' in surface ? surface : { current: () => Promise.resolve(surface) };
}
