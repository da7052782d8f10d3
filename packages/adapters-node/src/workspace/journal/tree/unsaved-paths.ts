import { dirname, sep } from 'node:path';
import type { UnsavedChanges } from '@gemini-mcp/core';
import { scriptKindOf } from '@gemini-mcp/core/internal';
import { isSkippedDirectory } from '../../../disk/walk/skip-list.ts';
import { isWithin } from '../../../processes/path-containment.ts';
import { displayPathOf } from '../display-path-of.ts';

/** So many of one directory are told one by one. */
const maxAlone = 3;
const maxTold = 100;
const maxPaths = 50_000;

/** What commands changed that is not watched, or was too much: told, and never undone. */
export class UnsavedPaths {
  readonly #workingDirectory: string;
  readonly #directories: readonly string[];
  readonly #paths = new Set<string>();
  readonly #scripts = new Map<string, string>();
  #uncounted = 0;

  /** `directories`: real paths, none below another, in which all of it lies. */
  constructor(workingDirectory: string, directories: readonly string[]) {
    this.#workingDirectory = workingDirectory;
    this.#directories = directories;
  }

  add(path: string): void {
    if (this.#paths.size < maxPaths) {
      this.#paths.add(path);
    } else if (!this.#paths.has(path)) {
      this.#uncounted += 1;
    }
    const kind = this.#madeByOthers(path) === null ? scriptKindOf(path.split(sep).at(-1) ?? '') : null;
    if (kind !== null && !this.#scripts.has(kind)) {
      this.#scripts.set(kind, displayPathOf(path, this.#workingDirectory));
    }
  }

  /** Null for none. */
  get told(): UnsavedChanges | null {
    const count = this.#paths.size + this.#uncounted;
    return count === 0
      ? null
      : { count, first: this.#groups().slice(0, maxTold), scripts: [...this.#scripts.values()] };
  }

  #groups(): UnsavedChanges['first'] {
    const groups = new Map<string, string[]>();
    for (const path of this.#paths) {
      const directory = this.#madeByOthers(path) ?? dirname(path);
      const group = groups.get(directory) ?? [];
      group.push(path);
      groups.set(directory, group);
    }
    const shown = (path: string): string => displayPathOf(path, this.#workingDirectory);
    return [...groups]
      .flatMap(([directory, paths]) =>
        paths.length > maxAlone
          ? [{ path: shown(directory), count: paths.length }]
          : paths.map((path) => ({ path: shown(path), count: 1 })),
      )
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** The outermost directory on the way that holds packages, caches or versions; null for none. */
  #madeByOthers(path: string): string | null {
    const root = this.#directories.find((directory) => isWithin(directory, path)) ?? '';
    const names = path.slice(root.length).split(sep);
    const index = names.slice(0, -1).findIndex((name) => isSkippedDirectory(name) || furtherNames.has(name));
    return index < 0 ? null : root + names.slice(0, index + 1).join(sep);
  }
}

const furtherNames: ReadonlySet<string> = new Set(['vendor', 'target']);
