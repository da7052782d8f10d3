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

/** A file or a directory, wherever it lies. */
export type FileIdentity = { readonly dev: number; readonly ino: number };

/** A name at the top of a project that is held; `identity` is null as long as nothing is made there. */
export type HeldName = CoveredPath & { readonly identity: FileIdentity | null };

export type HeldTop = {
  readonly directory: string;
  readonly identity: FileIdentity;
  /** Nothing that was there before is ours. */
  readonly sinceMs: number;
  readonly names: readonly HeldName[];
};

/**
 * Keeps names free in projects while commands run: something empty lies there, over which the sandbox puts what cannot be written. Commands
 * that run at the same time share it, in this server and in others, and the last one takes it away. The directory stays open meanwhile:
 * wherever it is moved to, nothing is made or removed elsewhere.
 */
export class NameHolder {
  readonly #tops = new Map<string, OpenTop>();

  /** The directory that is to be held, before anything is made in it. Throws if it is not there any more. */
  open(directory: string): OpenTop {
    const known = this.#tops.get(directory);
    const top = known?.isInPlace === true ? known : new OpenTop(directory);
    this.#tops.set(directory, top);
    top.holders += 1;
    return top;
  }

  /** Takes away what was made in a directory, unless another command holds it. `others`: what is held for other runs. */
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

  /** Throws if a directory is not at the very path. */
  constructor(directory: string) {
    this.directory = directory;
    this.#held = openDirectory(directory);
  }

  get isInPlace(): boolean {
    return this.#held.isInPlace;
  }

  /** What is held, and with it what `hold` would make. */
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
   * Makes what is free of the names to hold, and returns all that is held. What is there already is left alone, as is what cannot be made: no command can
   * make it either.
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

  /** Takes for held by us too what others hold here: the last of us takes it away. */
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

/** Lets names be taken away of a directory that a command has closed. Returns how to close it again. Never throws. */
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

/** Takes away what a program that is gone had held, unless others hold names in the same directory. Never throws. */
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

/** Null for nothing. A link is not followed. */
function statsAt(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

function isSame(stats: Stats | null, identity: FileIdentity | null): boolean {
  return stats !== null && stats.dev === identity?.dev && stats.ino === identity.ino;
}

/** Only what was made, and is still empty: what somebody has put there meanwhile is theirs. */
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
    // It has gone, or is not empty any more.
  }
}

/** The kernel stamps files with the time of its last tick. */
const clockStepMs = 20;

/** Null where something is there already, or nothing can be made. */
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
