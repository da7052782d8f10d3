import { relative, resolve, sep } from 'node:path';
import { isWithin } from '../processes/path-containment.ts';
import { type PinnedPaths, pinPaths } from './pin-paths.ts';
import { RealRoots } from './real-roots.ts';
import { isWindowsTrap } from './windows-names.ts';

export type AllowedRootsOptions = {
  readonly workingDirectory: string;
  /** Further directories, absolute or relative to the working directory. */
  readonly roots: readonly string[];
  /**
   * Where these directories really lay when the server started; one without an entry is a real path itself. They are
   * resolved now when it is missing.
   */
  readonly pinned?: PinnedPaths;
  /** Nothing at or below them is read although a root may hold them: what we keep of others. None when it is missing. */
  readonly privateDirectories?: readonly string[];
};

/** Where a name leads if no link is in the way. */
export type NamedPath = {
  /** Below the real path of a root. */
  readonly absolutePath: string;
  /** Relative to the working directory with `/` separators (empty for itself), or absolute under another root. */
  readonly displayPath: string;
};

/** A root by the name that the operator gave it, and by its real path. */
type Root = { readonly name: string; readonly realPath: string };

/** The directories below which files may be read, pinned when this is created, and the names that callers have for them. */
export class AllowedRoots {
  readonly #privateDirectories: readonly string[];
  readonly #workingDirectory: Root;
  readonly #roots: readonly Root[];

  constructor({ workingDirectory, roots, pinned, privateDirectories = [] }: AllowedRootsOptions) {
    const base = resolve(workingDirectory);
    const names = [base, ...roots.map((root) => resolve(base, root))];
    const pins = pinned ?? pinPaths(names);
    const rootOf = (name: string): Root => ({ name, realPath: pins.get(name) ?? name });
    this.#workingDirectory = rootOf(base);
    this.#roots = names.map(rootOf);
    this.#privateDirectories = privateDirectories;
  }

  /** What names may lead to, for one call: without the private directories, wherever those lie now. */
  real(): RealRoots {
    const directories = this.#roots.map(({ realPath }) => realPath);
    return new RealRoots({ directories, privateDirectories: this.#privateDirectories });
  }

  /**
   * Where a caller's name leads by its text alone; null when that is below no root, so that nothing outside is even looked
   * for. Tilde, variables, addresses and percent signs mean nothing.
   */
  locate(name: string): NamedPath | null {
    if (process.platform === 'win32' && isWindowsTrap(name)) {
      return null;
    }
    const named = resolve(this.#workingDirectory.name, name);
    const absolutePath = this.#findReal(named);
    return absolutePath === null ? null : { absolutePath, displayPath: this.#display(named) };
  }

  /** A link that is a root's name was followed once: what it is now plays no part. */
  #findReal(path: string): string | null {
    if (this.#roots.some(({ realPath }) => isWithin(realPath, path))) {
      return path;
    }
    const holders = this.#roots.filter(({ name }) => isWithin(name, path));
    const [innermost] = holders.toSorted((one, other) => other.name.length - one.name.length);
    return innermost === undefined ? null : resolve(innermost.realPath, relative(innermost.name, path));
  }

  #display(path: string): string {
    const { name, realPath } = this.#workingDirectory;
    const base = [name, realPath].find((directory) => isWithin(directory, path));
    const shown = base === undefined ? path : relative(base, path);
    return sep === '/' ? shown : shown.replaceAll(sep, '/');
  }
}
