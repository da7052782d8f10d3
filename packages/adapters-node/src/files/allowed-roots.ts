import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { isWithin } from './path-containment.ts';
import { isWindowsTrap } from './windows-names.ts';

export type AllowedRootsOptions = {
  readonly workingDirectory: string;
  /** Further directories, absolute or relative to the working directory. */
  readonly roots: readonly string[];
  /** Nothing at or below them is read although a root may hold them: what we keep of others. None when it is missing. */
  readonly privateDirectories?: readonly string[];
};

/** Where a name leads if no link is in the way. */
export type NamedPlace = {
  readonly absolutePath: string;
  /** Relative to the working directory with `/` separators (empty for itself), or absolute under another root. */
  readonly displayPath: string;
};

/** What the kernel makes up: reading there has effects, shows other processes, or never ends. */
const pseudoFileSystems: readonly string[] = ['/proc', '/sys', '/dev'];

/** The directories below which files may be read, as they were when this was created. */
export class AllowedRoots {
  readonly #workingDirectory: string;
  readonly #realWorkingDirectory: string | null;
  readonly #namedRoots: readonly string[];
  readonly #realRoots: readonly string[];
  /** Real paths of what is below a root and belongs to none. */
  readonly #excluded: readonly string[];

  constructor({ workingDirectory, roots, privateDirectories = [] }: AllowedRootsOptions) {
    this.#workingDirectory = resolve(workingDirectory);
    this.#namedRoots = [this.#workingDirectory, ...roots.map((root) => resolve(workingDirectory, root))];
    this.#realWorkingDirectory = realPathOrNull(this.#workingDirectory);
    this.#realRoots = this.#namedRoots.map(realPathOrNull).filter((root) => root !== null);
    const privatePlaces = privateDirectories.map(realPathOrNull).filter((place) => place !== null);
    this.#excluded = [...pseudoFileSystems, ...privatePlaces];
  }

  /**
   * Where a caller's name leads by its text alone; null when that is below no root, so that nothing outside is even looked
   * for. Tilde, variables, addresses and percent signs mean nothing.
   */
  locate(name: string): NamedPlace | null {
    if (process.platform === 'win32' && isWindowsTrap(name)) {
      return null;
    }
    const absolutePath = resolve(this.#workingDirectory, name);
    const isInside = [...this.#namedRoots, ...this.#realRoots].some((root) => isWithin(root, absolutePath));
    return isInside ? { absolutePath, displayPath: this.#display(absolutePath) } : null;
  }

  /** Whether a path without links lies below a root. */
  contains(realPath: string): boolean {
    return (
      this.#realRoots.some((root) => isWithin(root, realPath)) &&
      !this.#excluded.some((directory) => isWithin(directory, realPath))
    );
  }

  /** The innermost root that a path without links lies below. */
  rootOf(realPath: string): string | null {
    const holders = this.#realRoots.filter((root) => isWithin(root, realPath));
    return holders.reduce<string | null>((best, root) => (root.length > (best?.length ?? 0) ? root : best), null);
  }

  #display(absolutePath: string): string {
    const bases = [this.#workingDirectory, this.#realWorkingDirectory];
    const base = bases.find((directory) => directory !== null && isWithin(directory, absolutePath));
    const path = base === undefined || base === null ? absolutePath : relative(base, absolutePath);
    return sep === '/' ? path : path.replaceAll(sep, '/');
  }
}

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}
