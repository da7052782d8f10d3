import type { Surface, SurfaceSource } from './surface.ts';

/** A surface that a program replaces while clients are connected. Clients get a notice for each list that changed. */
export class ChangingSurface implements SurfaceSource {
  readonly #listeners = new Set<() => void>();
  #surface: Surface;

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  current(): Promise<Surface> {
    return Promise.resolve(this.#surface);
  }

  onChange(listener: () => void): () => void {
    // A new function per call, so that ending one of two subscriptions with the same listener keeps the other.
    const notify = (): void => listener();
    this.#listeners.add(notify);
    return () => void this.#listeners.delete(notify);
  }

  /** Offers this surface from now on. Running calls keep the tool that they began with. */
  replace(surface: Surface): void {
    this.#surface = surface;
    for (const notify of [...this.#listeners]) {
      notify();
    }
  }
}
