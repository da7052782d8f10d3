import { dirname, sep } from 'node:path';
import type { UnsavedChanges } from '@gemini-mcp/core';
import { scriptKindOf } from '@gemini-mcp/core/internal';
import { isSkippedDirectory } from '../../../disk/walk/skip-list.ts';
import { isWithin } from '../../../processes/path-containment.ts';
import { displayPathOf } from '../display-path-of.ts';

/** Up to this many paths of one directory are listed individually. */
const maxAlone = 3;
const maxTold = 100;
const maxPaths = 50_000;

/** Changes of commands to unwatched or excess files: they are reported, and never undone. */
export class UnsavedPaths {
  readonly #workingDirectory: string;
  readonly #directories: readonly string[];
  readonly #paths = new Set<string>();
  readonly #scripts = new Map<string, string>();
  #uncounted = 0;

  /** `directories`: real paths, none below another, that contain all the changes. */
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

  /** Null if everything was saved. */
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

  /** The outermost directory of packages, caches or version control above the path, or null. */
  #madeByOthers(path: string): string | null {
    const root = this.#directories.find((directory) => isWithin(directory, path)) ?? '';
    const names = path.slice(root.length).split(sep);
    const index = names.slice(0, -1).findIndex((name) => isSkippedDirectory(name) || furtherNames.has(name));
    return index < 0 ? null : root + names.slice(0, index + 1).join(sep);
  }
}

const furtherNames: ReadonlySet<string> = new Set(['vendor', 'target']);
