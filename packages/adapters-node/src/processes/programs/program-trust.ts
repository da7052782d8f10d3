import type { Stats } from 'node:fs';
import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { isWithin } from '../path-containment.ts';
import { isShortage } from '../system-shortage.ts';
import { GroupMembers } from './group-members.ts';
import type { PathFault } from './path-fault.ts';
import { trustedOwners } from './trusted-owners.ts';

export type ProgramTrustOptions = {
  /** Absolute directories whose files may be a stranger's, with their real paths. */
  readonly projects: readonly string[];
  readonly owners?: ReadonlySet<number>;
};

/** Judges a place by its name alone. */
type JudgeName = (visited: string) => PathFault | null;

/** The progress in following a path. */
type Way = {
  /** A directory whose own path has no links. */
  readonly at: string;
  readonly pending: readonly string[];
  readonly links: number;
  /** The path being followed. */
  readonly path: string;
};

/** Linux follows at most this many links in one path. */
const maxLinks = 40;

const npmBin = /(?:^|[/\\])node_modules[/\\]\.bin(?:[/\\]|$)/i;

/**
 * Judges whether programs in a place may run. Follows a path as the kernel does, component by component and link by link: each must belong
 * to root or this user, no other user may write to it, and it must not be in a project. Windows has neither owners nor modes. Rejects if
 * the system is out of resources.
 */
export class ProgramTrust {
  readonly #projects: readonly string[];
  readonly #owners: ReadonlySet<number>;
  readonly #groups = new GroupMembers();
  readonly #seen = new Map<string, Promise<Stats>>();

  constructor({ projects, owners = trustedOwners() }: ProgramTrustOptions) {
    this.#projects = projects;
    this.#owners = owners;
  }

  /** The fault of a directory of programs; null if it is safe. */
  async judgeDirectory(path: string): Promise<PathFault | null> {
    return this.#judge(path, true);
  }

  /**
   * The fault of a program; null if it is safe. Links to it may go through a `node_modules/.bin`: if that directory is otherwise safe, this
   * user filled it.
   */
  async judgeProgram(path: string): Promise<PathFault | null> {
    return this.#judge(path, false);
  }

  async #judge(path: string, isDirectory: boolean): Promise<PathFault | null> {
    const judgeName: JudgeName = (visited) => {
      if (isDirectory && npmBin.test(visited)) {
        return { kind: 'npm-bin', place: visited };
      }
      return this.#projects.some((directory) => isWithin(directory, visited))
        ? { kind: 'project', place: visited }
        : null;
    };
    try {
      // Its real path as well: file systems that ignore case have many names for one place.
      const fault = judgeName(path) ?? judgeName(await realpath(path));
      return fault ?? (process.platform === 'win32' ? null : await this.#judgeAll(path, judgeName));
    } catch (error) {
      if (isShortage(error)) {
        throw error;
      }
      return { kind: 'unreadable', place: path };
    }
  }

  async #judgeAll(path: string, judgeName: JudgeName): Promise<PathFault | null> {
    const start = { at: sep, pending: partsOf(path), links: 0, path };
    return (await this.#judgeEntry(sep, false)) ?? (await this.#judgeRest(start, judgeName));
  }

  async #judgeRest(way: Way, judgeName: JudgeName): Promise<PathFault | null> {
    const [name, ...rest] = way.pending;
    if (name === undefined) {
      return null;
    }
    if (way.links > maxLinks) {
      return { kind: 'unreadable', place: way.path };
    }
    const next = name === '..' ? dirname(way.at) : join(way.at, name);
    const fault = judgeName(next) ?? (await this.#judgeEntry(next, rest.length === 0));
    return fault ?? this.#judgeRest(await this.#go(way, next, rest), judgeName);
  }

  async #go(way: Way, next: string, rest: readonly string[]): Promise<Way> {
    if (!(await this.#stats(next)).isSymbolicLink()) {
      return { ...way, at: next, pending: rest };
    }
    const target = await readlink(next);
    const at = target.startsWith(sep) ? sep : way.at;
    return { ...way, at, pending: [...partsOf(target), ...rest], links: way.links + 1 };
  }

  async #judgeEntry(path: string, isLast: boolean): Promise<PathFault | null> {
    const stats = await this.#stats(path);
    if (!this.#owners.has(stats.uid)) {
      return { kind: 'owner', place: path, uid: stats.uid };
    }
    return this.#isWritableByOthers(stats, isLast) ? { kind: 'writable', place: path } : null;
  }

  /**
   * Links have no modes of their own. A sticky bit does not help if everybody may write, as in /tmp, where others can take names that were
   * cleared away. If only a group may write (as in the store of Nix), it keeps the contents for their owners.
   */
  #isWritableByOthers(stats: Stats, isLast: boolean): boolean {
    if (stats.isSymbolicLink()) {
      return false;
    }
    if ((stats.mode & 0o002) !== 0) {
      return true;
    }
    const isGroupBound = (stats.mode & 0o1000) !== 0 && !isLast;
    return (stats.mode & 0o020) !== 0 && !isGroupBound && !this.#groups.isPrivate(stats.gid);
  }

  #stats(path: string): Promise<Stats> {
    const seen = this.#seen.get(path) ?? lstat(path);
    this.#seen.set(path, seen);
    return seen;
  }
}

function partsOf(path: string): readonly string[] {
  return path.split(sep).filter((part) => part !== '' && part !== '.');
}
