/** The import statements of common languages: the first group that matches is what they name. */
const importPatterns: readonly RegExp[] = [
  /\b(?:from|import|require|export)\s*\(?\s*['"]([^'"\n]{1,300})['"]/g,
  /^[ \t]*from[ \t]+([.\w]+)[ \t]+import\b/gm,
  /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)[ \t]*(?:;|,|\bas\b|$)/gm,
  /^[ \t]*(?:[\w.]+[ \t]+)?"([\w.-]+\/[^"\n]{1,300})"[ \t]*$/gm,
  /^[ \t]*#[ \t]*include[ \t]+"([^"\n]{1,300})"/gm,
  /^[ \t]*(?:pub[ \t]+)?(?:use|mod)[ \t]+(?:crate::|super::|self::)?([\w:]+)/gm,
  /^[ \t]*require_relative[ \t(]+['"]([^'"\n]{1,300})['"]/gm,
];

/** A list such as `use crate::{a, b::{C, D}};`. */
const rustList = /\buse[ \t]+(?:crate|super|self)::\{([^;]{1,2000})\};/g;

/** What the import statements of a text name, in order. */
export function importsOf(text: string): readonly string[] {
  const single = importPatterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
  const listed = [...text.matchAll(rustList)].flatMap(([, names = '']) => names.split(/[{},\s]+/));
  const found = [...single, ...listed];
  return [...new Set(found)].filter((name) => name !== '' && !name.startsWith('node:')).slice(0, maxImports);
}

const maxImports = 200;

/** Of the names at the end of an import, such as a class and its member. */
const maxMembers = 2;
const maxGoFiles = 10;

/** Files of the same name in directories further away have another subject. */
const maxDistance = 2;
const maxCompanions = 3;

const sourceEnding = /\.[a-z0-9]{1,5}$/i;

/** Finds files of a tree by what imports name. */
export class FileIndex {
  readonly #paths: ReadonlySet<string>;
  /** Paths without their endings, which imports leave out. */
  readonly #stems = new Map<string, string[]>();
  readonly #bareNames = new Map<string, string[]>();
  /** Files of Go by directory: its imports name directories. */
  readonly #goFiles = new Map<string, string[]>();

  constructor(paths: readonly string[]) {
    this.#paths = new Set(paths);
    for (const path of paths) {
      add(this.#stems, stemOf(path), path);
      add(this.#bareNames, bareName(path), path);
      if (path.endsWith('.go') && !isTest(path)) {
        add(this.#goFiles, directoryOf(path), path);
      }
    }
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** The files that an import in a file may mean: by a relative path, or by a name that leads from a directory above it, or from `src` or `lib`. */
  resolve(importer: string, name: string): readonly string[] {
    if (/^\.+\w/.test(name)) {
      const [dots = '.'] = /^\.+/.exec(name) ?? [];
      const up = '../'.repeat(dots.length - 1);
      return this.#at(joinPath(directoryOf(importer), up + name.slice(dots.length).replaceAll('.', '/')));
    }
    if (name.startsWith('.')) {
      return this.#at(joinPath(directoryOf(importer), name));
    }
    if (importer.endsWith('.go')) {
      return this.#goPackage(name);
    }
    const isPackage = /\.[cm]?[jt]sx?$/.test(importer) && !name.includes('/');
    return isPackage ? [] : this.#below(importer, segmentsOf(importer, name));
  }

  /** Tests of a file, and the file of a test: the same name with other marks, in the most similar directories. */
  companions(path: string): readonly string[] {
    const others = (this.#bareNames.get(bareName(path)) ?? []).filter(
      (other) => other !== path && isTest(other) !== isTest(path),
    );
    const distances = others.map((other) => distanceOf(directoryOf(path), directoryOf(other)));
    const least = Math.min(...distances);
    return others.filter((_, index) => distances[index] === least && least <= maxDistance).slice(0, maxCompanions);
  }

  /** The last names of an import may be those of members. */
  #below(importer: string, segments: readonly string[]): readonly string[] {
    for (let count = segments.length; count > 0 && count >= segments.length - maxMembers; count -= 1) {
      const path = segments.slice(0, count).join('/');
      for (const base of basesOf(importer)) {
        const found = this.#at(base === '' ? path : `${base}/${path}`);
        if (found.length > 0) {
          return found;
        }
      }
    }
    return [];
  }

  /** A package of the same module: its path without the module's. */
  #goPackage(name: string): readonly string[] {
    const segments = /^[^/]+\.[^/]+\//.test(name) ? name.split('/') : [];
    const suffixes = segments.map((_, index) => segments.slice(index + 1).join('/'));
    const directory = suffixes.find((suffix) => suffix !== '' && this.#goFiles.has(suffix));
    return directory === undefined ? [] : (this.#goFiles.get(directory) ?? []).slice(0, maxGoFiles);
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

function stemOf(path: string): string {
  return path.replace(sourceEnding, '');
}

function add(map: Map<string, string[]>, key: string, path: string): void {
  const known = map.get(key);
  if (known === undefined) {
    map.set(key, [path]);
  } else {
    known.push(path);
  }
}

/** An include of C names a file; the imports of other languages name modules. */
function segmentsOf(importer: string, name: string): readonly string[] {
  const isPath = /\.(?:[chm]|cc|cpp|cxx|hh|hpp|mm)$/i.test(importer) || name.includes('/');
  return name.split(isPath ? '/' : /\.|::/).filter((segment) => segment !== '');
}

/** Directories from which names may lead, the nearest first. Tests of Java are below `src/test`, their code below `src/main`. */
function basesOf(importer: string): readonly string[] {
  const names = directoryOf(importer).split('/');
  const above = names.map((_, index) => names.slice(0, names.length - index).join('/'));
  const bases = [...above, '', 'src', 'lib', 'include', 'src/main/java'];
  return [...new Set(bases.flatMap((base) => [base, base.replace(/(^|\/)test(?=\/|$)/, '$1main')]))];
}

/** Folders that say nothing about the subject of their files. */
const neutralNames: ReadonlySet<string> = new Set([
  ...['', 'src', 'lib', 'main', 'test', 'tests', '__tests__', 'spec', 'unit', 'java', 'kotlin'],
]);

/** How many folders lie between two directories. */
function distanceOf(one: string, other: string): number {
  const [first, second] = [one, other].map((path) => path.split('/').filter((name) => !neutralNames.has(name)));
  const [names = [], others = []] = [first, second];
  const differs = names.findIndex((name, index) => name !== others[index]);
  const shared = differs === -1 ? Math.min(names.length, others.length) : differs;
  return names.length + others.length - 2 * shared;
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
