import { relative, resolve, sep } from 'node:path';
import { isWithin } from '../processes/path-containment.ts';
import { type PinnedPaths, pinPaths } from './pin-paths.ts';
import { RealRoots } from './real-roots.ts';

export type AllowedRootsOptions = {
  readonly workingDirectory: string;
  /** Further directories, absolute or relative to the working directory. */
  readonly roots: readonly string[];
  /** The real paths of these directories at server start. A directory without an entry is a real path itself. Resolved now if missing. */
  readonly pinned?: PinnedPaths;
  /** Nothing at or below these directories is read, even inside a root: they hold other users' data. Defaults to an empty list. */
  readonly privateDirectories?: readonly string[];
};

/** The place that a name leads to if no link is in the way. */
export type NamedPath = {
  /** Below the real path of a root. */
  readonly absolutePath: string;
  /** Relative to the working directory with `/` separators (empty for itself), or absolute under another root. */
  readonly displayPath: string;
};

/** A root by the operator's name for it and by its real path. */
type Root = { readonly name: string; readonly realPath: string };

/** The directories below which files may be read, pinned on construction, and the callers' names for them. */
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

  /** The roots for one call, without the private directories as they resolve now. */
  real(): RealRoots {
    const directories = this.#roots.map(({ realPath }) => realPath);
    return new RealRoots({ directories, privateDirectories: this.#privateDirectories });
  }

  /**
   * Resolves a caller's name by its text alone. Returns null for a place outside the roots, so that nothing there is even looked up. Tilde,
   * variables, addresses and percent signs have no special meaning.
   */
  locate(name: string): NamedPath | null {
    if (process.platform === 'win32' && isWindowsTrap(name)) {
      return null;
    }
    const named = resolve(this.#workingDirectory.name, name);
    const absolutePath = this.#findReal(named);
    return absolutePath === null ? null : { absolutePath, displayPath: this.#display(named) };
  }

  /** The link that a root's name is was followed once, at pinning; its present target does not matter. */
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

const deviceName =
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;

/**
 * Whether Windows would resolve a path to something other than the file of that name: a device (`CON`, `nul.txt`), a stream (`x:stream`), a
 * host or the device namespace (`\\host\x`, `\\?\C:\x`), or a name whose trailing dots and spaces it drops.
 */
export function isWindowsTrap(path: string): boolean {
  if (/^[\\/]{2}/.test(path)) {
    return true;
  }
  const names = path.replace(/^[a-z]:(?=[\\/])/i, '').split(/[\\/]/);
  return names.some(
    (name) => name !== '.' && name !== '..' && (name.includes(':') || /[. ]$/.test(name) || deviceName.test(name)),
  );
}
