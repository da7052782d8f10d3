import { isWithin } from '../processes/path-containment.ts';
import { findRealPath } from './pin-paths.ts';

export type RealRootsOptions = {
  /** Real paths, compared literally and never resolved again. */
  readonly directories: readonly string[];
  /** Nothing at or below these directories is read, even inside a root: they hold other users' data. Defaults to an empty list. */
  readonly privateDirectories?: readonly string[];
};

/** File systems synthesized by the kernel: reading there has effects, shows other processes, or never ends. */
const pseudoFileSystems: readonly string[] = ['/proc', '/sys', '/dev'];

/**
 * The directories below which files may be read, by real path. A root is a path, not an inode: a directory deleted and recreated at the
 * same real path is the same root, a moved one is not, and a link never is.
 */
export class RealRoots {
  readonly #directories: readonly string[];
  /** Real paths that are excluded even below a root. */
  readonly #excluded: readonly string[];
  readonly #outer: RealRoots | null;

  constructor({ directories, privateDirectories = [] }: RealRootsOptions, outer: RealRoots | null = null) {
    this.#directories = directories;
    // Resolved each time: while the server runs, a state directory may be created or a link to it changed.
    this.#excluded = [...pseudoFileSystems, ...privateDirectories.map(findRealPath)];
    this.#outer = outer;
  }

  /** Whether a path without links lies below a root. */
  contains(realPath: string): boolean {
    return (
      this.#directories.some((root) => isWithin(root, realPath)) &&
      !this.#excluded.some((directory) => isWithin(directory, realPath)) &&
      (this.#outer?.contains(realPath) ?? true)
    );
  }

  /** The innermost root that contains a path without links. */
  rootOf(realPath: string): string | null {
    const holders = this.#directories.filter((root) => isWithin(root, realPath));
    return holders.reduce<string | null>((best, root) => (root.length > (best?.length ?? 0) ? root : best), null);
  }

  /** Returns the parts of these roots that also lie below one of the real paths. */
  narrowTo(directories: readonly string[]): RealRoots {
    return new RealRoots({ directories }, this);
  }
}
