import { isWithin } from '../processes/path-containment.ts';
import { findRealPath } from './pin-paths.ts';

export type RealRootsOptions = {
  /** Real paths. They are compared as they are: nothing is resolved again. */
  readonly directories: readonly string[];
  /** Nothing at or below them is read although a root may hold them: what we keep of others. None when it is missing. */
  readonly privateDirectories?: readonly string[];
};

/** What the kernel makes up: reading there has effects, shows other processes, or never ends. */
const pseudoFileSystems: readonly string[] = ['/proc', '/sys', '/dev'];

/**
 * The directories below which files may be read, by their real paths. A root is a path and not an inode: a directory that is
 * deleted and made again at the same real path is the same root, one that is moved away is none, and neither is a link.
 */
export class RealRoots {
  readonly #directories: readonly string[];
  /** Real paths of what is below a root and belongs to none. */
  readonly #excluded: readonly string[];
  readonly #outer: RealRoots | null;

  constructor({ directories, privateDirectories = [] }: RealRootsOptions, outer: RealRoots | null = null) {
    this.#directories = directories;
    // Resolved each time: a state directory may be made, or a link to it changed, while the server runs.
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

  /** The innermost root that a path without links lies below. */
  rootOf(realPath: string): string | null {
    const holders = this.#directories.filter((root) => isWithin(root, realPath));
    return holders.reduce<string | null>((best, root) => (root.length > (best?.length ?? 0) ? root : best), null);
  }

  /** What lies in these roots and below one of the real paths as well. */
  narrowTo(directories: readonly string[]): RealRoots {
    return new RealRoots({ directories }, this);
  }
}
