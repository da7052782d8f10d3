import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { HeldDirectory } from '../../../disk/held-directory.ts';
import { chooseDescriptorProof } from '../../../disk/open-verified.ts';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';
import { heldNames } from './held-names.ts';

/** The identity of a file or directory, independent of its path. */
export type FileIdentity = { readonly dev: number; readonly ino: number };

/** A held name at the top of a project; `identity` is null until something is created there. */
export type HeldName = CoveredPath & { readonly identity: FileIdentity | null };

export type HeldTop = {
  readonly directory: string;
  readonly identity: FileIdentity;
  /** Anything older is not ours. */
  readonly sinceMs: number;
  readonly names: readonly HeldName[];
};

/**
 * Keeps names free in projects while commands run: an empty file or directory lies there, over which the sandbox mounts something
 * unwritable. Concurrent commands share it, even across servers, and the last one removes it. The directory stays open meanwhile: even if
 * it is moved, nothing is created or removed elsewhere.
 */
export class NameHolder {
  readonly #tops = new Map<string, OpenTop>();

  /** The directory in which to hold names, before anything is created in it. Throws if it is gone. */
  open(directory: string): OpenTop {
    const known = this.#tops.get(directory);
    const top = known?.isInPlace === true ? known : new OpenTop(directory);
    this.#tops.set(directory, top);
    top.holders += 1;
    return top;
  }

  /** Removes the entries created in a directory, unless another command holds them. `others`: the names held for other runs. */
  release(top: OpenTop, others: readonly HeldTop[]): void {
    top.holders -= 1;
    if (top.holders === 0) {
      if (this.#tops.get(top.directory) === top) {
        this.#tops.delete(top.directory);
      }
      top.close(others);
    }
  }
}

export class OpenTop {
  readonly directory: string;
  readonly sinceMs: number = Date.now();
  holders = 0;
  readonly #held: HeldDirectory;
  readonly #names = new Map<string, HeldName>();

  /** Throws if a directory is not at its exact path. */
  constructor(directory: string) {
    this.directory = directory;
    this.#held = openDirectory(directory);
  }

  get isInPlace(): boolean {
    return this.#held.isInPlace;
  }

  /** The held names, including those that `hold` would create. */
  get record(): HeldTop {
    const { directory, sinceMs } = this;
    const { dev, ino } = this.#identity;
    const names = heldNames.flatMap(({ path: name, kind }): readonly HeldName[] => {
      const path = join(directory, name);
      const known = this.#names.get(name);
      const isFree = known === undefined && statsAt(this.#held.pathOf(path)) === null;
      return isFree ? [{ path, kind, identity: null }] : known === undefined ? [] : [known];
    });
    return { directory, identity: { dev, ino }, sinceMs, names };
  }

  /**
   * Creates the missing names and returns all held ones. Leaves existing ones alone, and skips names that cannot be created: no command can
   * create them either.
   */
  hold(): readonly HeldName[] {
    for (const { path: name, kind } of heldNames) {
      const path = join(this.directory, name);
      const known = this.#names.get(name);
      if (known === undefined || !isSame(statsAt(this.#held.pathOf(path)), known.identity)) {
        this.#names.delete(name);
        const identity = make(this.#held.pathOf(path), kind);
        if (identity !== null) {
          this.#names.set(name, { path, kind, identity });
        }
      }
    }
    return [...this.#names.values()];
  }

  /** Also holds the names that others hold here: the last holder removes them. */
  share(others: readonly HeldTop[]): void {
    for (const held of others.filter((other) => isHeldBy(this.#identity, other)).flatMap(({ names }) => names)) {
      const path = join(this.directory, basename(held.path));
      if (isSame(statsAt(this.#held.pathOf(path)), held.identity)) {
        this.#names.set(basename(path), { ...held, path });
      }
    }
  }

  close(others: readonly HeldTop[]): void {
    const isShared = others.some((other) => isHeldBy(this.#identity, other));
    if (!isShared) {
      const closeAgain = openUp(this.#held.path);
      for (const name of this.#names.values()) {
        takeAway(this.#held.pathOf(name.path), name, this.sinceMs);
      }
      closeAgain();
    }
    this.#held.release();
  }

  get #identity(): FileIdentity {
    return statSync(this.#held.path);
  }
}

/** Lets us remove names from a directory that a command has closed. Returns a function that closes it again. Never throws. */
function openUp(path: string): () => void {
  try {
    const mode = statSync(path).mode & 0o7777;
    if ((mode & 0o300) === 0o300) {
      return () => undefined;
    }
    chmodSync(path, mode | 0o700);
    return () => chmodSync(path, mode);
  } catch {
    return () => undefined;
  }
}

function isHeldBy({ dev, ino }: FileIdentity, { identity }: HeldTop): boolean {
  return dev === identity.dev && ino === identity.ino;
}

/** Removes the names that a dead program held, unless others hold names in the same directory. Never throws. */
export function takeAwayFrom({ directory, identity, sinceMs, names }: HeldTop, others: readonly HeldTop[]): void {
  if (others.some((other) => isHeldBy(identity, other))) {
    return;
  }
  let held: HeldDirectory;
  try {
    held = openDirectory(directory);
  } catch {
    return;
  }
  if (isSame(statsAt(held.pathOf(directory)), identity)) {
    for (const name of names) {
      takeAway(held.pathOf(name.path), name, sinceMs);
    }
  }
  held.release();
}

const everywhere = { contains: () => true };

function openDirectory(path: string): HeldDirectory {
  const held = HeldDirectory.open({ path, roots: everywhere, proof: chooseDescriptorProof() });
  if (!(held instanceof HeldDirectory)) {
    throw new Error(`${JSON.stringify(path)} cannot be opened: ${held.detail ?? held.reason}`);
  }
  return held;
}

/** Null if nothing exists there. Does not follow a link. */
function statsAt(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function isSame(stats: Stats | null, identity: FileIdentity | null): boolean {
  return stats !== null && stats.dev === identity?.dev && stats.ino === identity.ino;
}

/** Removes only entries that we created and that are still empty: contents that appeared meanwhile belong to someone else. */
function takeAway(path: string, { kind, identity }: HeldName, sinceMs: number): void {
  try {
    const stats = lstatSync(path);
    const isOurs = identity === null ? stats.birthtimeMs >= sinceMs - clockStepMs : isSame(stats, identity);
    if (isOurs && kind === 'directory') {
      rmdirSync(path);
    }
    if (isOurs && kind === 'file' && stats.size === 0) {
      unlinkSync(path);
    }
  } catch {
    // It is gone, or no longer empty.
  }
}

/** The kernel stamps files with the time of its last tick. */
const clockStepMs = 20;

/** Null if something exists there already, or nothing can be created. */
function make(path: string, kind: CoveredPath['kind']): FileIdentity | null {
  try {
    const stats = kind === 'directory' ? makeDirectory(path) : makeFile(path);
    return { dev: stats.dev, ino: stats.ino };
  } catch {
    return null;
  }
}

function makeDirectory(path: string): Stats {
  mkdirSync(path);
  return lstatSync(path);
}

function makeFile(path: string): Stats {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    return fstatSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
