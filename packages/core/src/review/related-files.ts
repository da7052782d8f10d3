/** The import statements of common languages: the first group that matches is what they name. */
const importPatterns: readonly RegExp[] = [
  /\b(?:from|import|require|export)\s*\(?\s*['"]([^'"\n]{1,300})['"]/g,
  /^[ \t]*from[ \t]+([.\w]+)[ \t]+import\b/gm,
  /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)[ \t]*(?:;|,|\bas\b|$)/gm,
  /^[ \t]*#[ \t]*include[ \t]+"([^"\n]{1,300})"/gm,
  /^[ \t]*(?:pub[ \t]+)?(?:use|mod)[ \t]+(?:crate::|super::|self::)?([\w:]+)/gm,
  /^[ \t]*require_relative[ \t(]+['"]([^'"\n]{1,300})['"]/gm,
];

/** What the import statements of a text name, in order. */
export function importsOf(text: string): readonly string[] {
  const found = importPatterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  return [...new Set(found)].filter((name) => name !== '' && !name.startsWith('node:')).slice(0, maxImports);
}

const maxImports = 200;

const sourceEnding = /\.[a-z0-9]{1,5}$/i;

/** Finds files of a tree by what imports name. */
export class FileIndex {
  readonly #paths: ReadonlySet<string>;
  /** Paths without their endings, which imports leave out. */
  readonly #stems = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    for (const path of paths) {
      const stem = stemOf(path);
      this.#stems.set(stem, [...(this.#stems.get(stem) ?? []), path]);
    }
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The files that an import in a file may mean: by a relative path, or by a dotted name from the top or from `src`. */
  resolve(importer: string, name: string): readonly string[] {
    if (name.startsWith('.') && !/^\.+\w/.test(name)) {
      return this.#at(joinPath(directoryOf(importer), name));
    }
    if (/^\.+\w/.test(name)) {
      const [dots = '.'] = /^\.+/.exec(name) ?? [];
      const up = '../'.repeat(dots.length - 1);
      return this.#at(joinPath(directoryOf(importer), up + name.slice(dots.length).replaceAll('.', '/')));
    }
    const plain = name.replaceAll('::', '/');
    const path = plain.includes('/') ? plain : plain.replaceAll('.', '/');
    return ['', 'src/', 'lib/', 'src/main/java/', `${directoryOf(importer)}/`].flatMap((base) => this.#at(base + path));
  }

  /** Tests of a file, and the file of a test: the same name with other marks, next to it or in a folder of tests. */
  companions(path: string): readonly string[] {
    const name = bareName(path);
    const places = [directoryOf(path), directoryOf(directoryOf(path))];
    return [...this.#paths].filter(
      (other) =>
        other !== path &&
        bareName(other) === name &&
        isTest(other) !== isTest(path) &&
        places.some((place) => isBelow(other, place)),
    );
  }

  /** The nearest file of this name, from a directory upwards. */
  nearest(path: string, name: string): string | null {
    for (let directory = directoryOf(path); ; directory = directoryOf(directory)) {
      const candidate = directory === '' ? name : `${directory}/${name}`;
      if (this.#paths.has(candidate)) {
        return candidate;
      }
      if (directory === '') {
        return null;
      }
    }
  }

  #at(path: string | null): readonly string[] {
    if (path === null || path === '') {
      return [];
    }
    const named = this.#paths.has(path) ? [path] : (this.#stems.get(stemOf(path)) ?? this.#stems.get(path) ?? []);
    const entries = ['index', '__init__', 'mod'].flatMap((entry) => this.#stems.get(`${path}/${entry}`) ?? []);
    return [...named, ...entries];
  }
}

/** The part of a path by which other files mention it: its name without ending, or its folder's for an entry file. */
export function mentionOf(path: string): string {
  const name = bareName(path);
  return /^(?:index|__init__|mod|main)$/.test(name) ? bareName(directoryOf(path)) : name;
}

/** Whether a file is a test, by its name or its folder. */
export function isTest(path: string): boolean {
  return /(?:^|\/)(?:tests?|__tests__|spec)\/|(?:[._-](?:test|tests|spec)|_test|Tests?)\.[a-z]+$|(?:^|\/)test_[^/]+$/.test(
    path,
  );
}

/** The name without folder, ending and marks of a test. */
export function bareName(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/(?:\.d)?\.[a-z0-9]+$/i, '');
  return name.replace(/(?:[._-](?:test|tests|spec)|_test|Tests?)$/, '').replace(/^test_/, '');
}

export function directoryOf(path: string): string {
  const end = path.lastIndexOf('/');
  return end === -1 ? '' : path.slice(0, end);
}

function isBelow(path: string, directory: string): boolean {
  return directory === '' || path.startsWith(`${directory}/`);
}

function stemOf(path: string): string {
  return path.replace(sourceEnding, '');
}

/** Null if it leads out of the tree. */
function joinPath(directory: string, relative: string): string | null {
  const names: string[] = [];
  for (const name of `${directory}/${relative}`.split('/')) {
    if (name === '..' && names.pop() === undefined) {
      return null;
    }
    if (name !== '' && name !== '.' && name !== '..') {
      names.push(name);
    }
  }
  return names.join('/');
}
