import type { Surface, SurfaceSource } from './surface.ts';

/** A surface that a program replaces while clients are connected. They are told which of their lists have changed. */
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
    // A function of its own for each call, so that a listener that was given twice is removed once.
    const notify = (): void => listener();
    this.#listeners.add(notify);
    return () => void this.#listeners.delete(notify);
  }

  /** Offers this from now on. Calls that run go on with the tool that they began with. */
  replace(surface: Surface): void {
    this.#surface = surface;
    for (const notify of [...this.#listeners]) {
      notify();
    }
  }
}
