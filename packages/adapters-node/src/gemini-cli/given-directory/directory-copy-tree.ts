import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { sep } from 'node:path';
import type { TimeSlices } from '../../files/time-slices.ts';
import { type FileVersion, isSameVersion, versionOf } from './directory-copy-version.ts';
import { visitInSlices } from './directory-copy-visit.ts';

/** Windows has no such flag. */
const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0);

/** The files of a copy, by paths with `/` separators below it, and what each was when it was written. */
export class DirectoryCopyTree {
  readonly #root: string;
  #files = new Map<string, FileVersion>();
  #directories = new Set<string>(['']);
  readonly #thinned = new Set<string>();

  private constructor(root: string) {
    this.#root = root;
  }

  /** Makes the directory. Rejects where there is something already. */
  static async make(root: string): Promise<DirectoryCopyTree> {
    await mkdir(root, { mode: 0o700 });
    return new DirectoryCopyTree(root);
  }

  /** Whether the directory itself is still one. */
  get isThere(): boolean {
    return isDirectory(this.#root);
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  write(path: string, bytes: Uint8Array | string): void {
    this.#makeDirectory(parentOf(path));
    const descriptor = openSync(this.#locate(path), writeFlags, 0o600);
    try {
      writeFileSync(descriptor, bytes);
      this.#files.set(path, versionOf(fstatSync(descriptor, { bigint: true })));
    } finally {
      closeSync(descriptor);
    }
  }

  remove(path: string): void {
    unlinkSync(this.#locate(path));
    this.#files.delete(path);
    this.#thinned.add(parentOf(path));
  }

  /** Removes the directories that removals have left empty. */
  tidy(slices: TimeSlices): Promise<string | null> {
    const candidates = new Set([...this.#thinned].sort((one, other) => other.length - one.length));
    this.#thinned.clear();
    return visitInSlices(candidates, slices, (path) => {
      if (path !== '' && this.#isGoneOnceEmpty(path)) {
        // Once more, where it was looked at while this one was still in it.
        candidates.delete(parentOf(path));
        candidates.add(parentOf(path));
      }
      return null;
    });
  }

  /** Forgets the files that are no longer as they were written, and removes files that were not written here. */
  async inspect(slices: TimeSlices): Promise<string | null> {
    const files = new Map<string, FileVersion>();
    const directories = new Set<string>(['']);
    const strays: string[] = [];
    const found = this.#list('');
    const obstacle = await visitInSlices(found, slices, (path) => {
      const version = this.#intactVersion(path);
      if (version !== null) {
        files.set(path, version);
      } else if (this.#isIntactDirectory(path)) {
        directories.add(path);
        found.push(...this.#list(path));
      } else {
        strays.push(path);
      }
      return null;
    });
    for (const path of strays) {
      slices.throwIfAborted();
      await rm(this.#locate(path), { recursive: true, force: true });
      this.#thinned.add(parentOf(path));
    }
    // A directory whose files were taken away is as empty as one whose files were removed.
    for (const path of this.#files.keys()) {
      if (!files.has(path)) {
        this.#thinned.add(parentOf(path));
      }
    }
    this.#files = files;
    this.#directories = directories;
    return obstacle;
  }

  #isGoneOnceEmpty(path: string): boolean {
    if (this.#directories.has(path) && readdirSync(this.#locate(path)).length === 0) {
      rmdirSync(this.#locate(path));
      this.#directories.delete(path);
    }
    return !this.#directories.has(path);
  }

  #list(path: string): string[] {
    const names = readdirSync(this.#locate(path));
    return path === '' ? names : names.map((name) => `${path}/${name}`);
  }

  /** A link to a directory is none. */
  #isIntactDirectory(path: string): boolean {
    return this.#directories.has(path) && isDirectory(this.#locate(path));
  }

  #intactVersion(path: string): FileVersion | null {
    const written = this.#files.get(path);
    if (written === undefined) {
      return null;
    }
    const stats = lstatSync(this.#locate(path), { bigint: true, throwIfNoEntry: false });
    return stats !== undefined && isSameVersion(stats, written) ? written : null;
  }

  #makeDirectory(path: string): void {
    if (!this.#directories.has(path)) {
      this.#makeDirectory(parentOf(path));
      // Names that differ by case alone may be one directory here.
      mkdirSync(this.#locate(path), { recursive: true, mode: 0o700 });
      this.#directories.add(path);
    }
  }

  #locate(path: string): string {
    return path === '' ? this.#root : this.#root + sep + path;
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
