import type { LeftOutReason } from '../failure/left-out.ts';
import { isBelow, matchesPattern, normalise } from './in-memory-paths.ts';

export type InMemoryFilesOptions = {
  /** Path below the working directory to content. */
  readonly tree: Readonly<Record<string, string | Uint8Array>>;
  /** Path of a symbolic link below the working directory to its target, relative to the working directory; no links by default. */
  readonly links?: Readonly<Record<string, string>>;
  /** Absolute; `/project` by default. */
  readonly workingDirectory?: string;
};

/** The result of a walk or a pattern: files, and links that lead outside. */
export type InMemoryFindings = { readonly files: readonly string[]; readonly outside: readonly string[] };

/** A working directory in memory. Paths are relative to it; null stands for everything outside. */
export class InMemoryFiles {
  readonly workingDirectory: string;
  readonly #contents: ReadonlyMap<string, string | Uint8Array>;
  readonly #links: ReadonlyMap<string, string | null>;
  readonly #ignored: ReadonlySet<string>;

  constructor({ tree, links = {}, workingDirectory = '/project' }: InMemoryFilesOptions) {
    this.#contents = new Map(Object.entries(tree));
    this.workingDirectory = workingDirectory;
    this.#links = new Map(Object.entries(links).map(([path, to]) => [path, normalise(to, workingDirectory)]));
    const rules = this.#contents.get('.gitignore');
    this.#ignored = new Set(typeof rules === 'string' ? rules.split('\n').filter((rule) => rule !== '') : []);
  }

  /** The target of a name, with links resolved. */
  locate(name: string): string | null {
    const path = normalise(name, this.workingDirectory);
    if (path === null) {
      return null;
    }
    const link = [...this.#links].find(([from]) => path === from || isBelow(path, from));
    if (link === undefined) {
      return path;
    }
    const [from, to] = link;
    return to === null ? null : `${to}${path.slice(from.length)}`;
  }

  isFile(path: string | null): path is string {
    return path !== null && this.#contents.has(path);
  }

  isDirectory(path: string): boolean {
    return path === '' || [...this.#contents.keys()].some((file) => isBelow(file, path));
  }

  whyNotFile(path: string | null): LeftOutReason {
    if (path === null) {
      return 'outside-roots';
    }
    return this.isDirectory(path) ? 'is-a-directory' : 'not-found';
  }

  whyNotDirectory(path: string | null): LeftOutReason {
    if (path === null) {
      return 'outside-roots';
    }
    return this.isFile(path) ? 'not-a-directory' : 'not-found';
  }

  match(pattern: string): InMemoryFindings {
    return this.#find((path) => matchesPattern(pattern, path));
  }

  below(directory: string): InMemoryFindings {
    return this.#find((path) => isBelow(path, directory), directory);
  }

  read(path: string): string | Uint8Array {
    return this.#contents.get(path) ?? '';
  }

  /** Links to a file inside represent it; other links that stay inside are skipped. */
  #find(isWanted: (path: string) => boolean, base = ''): InMemoryFindings {
    const found = (path: string): boolean => isWanted(path) && !this.#isIgnored(path, base);
    const links = [...this.#links].filter(([from]) => found(from));
    const targets = links.map(([, to]) => to).filter((to) => this.isFile(to));
    return {
      files: [...[...this.#contents.keys()].filter(found), ...targets],
      outside: links.flatMap(([from, to]) => (to === null ? [from] : [])),
    };
  }

  /** The name of a directory that was itself named is not checked. */
  #isIgnored(path: string, base: string): boolean {
    const below = base === '' ? path : path.slice(base.length + 1);
    return below.split('/').some((name) => this.#ignored.has(name));
  }
}
