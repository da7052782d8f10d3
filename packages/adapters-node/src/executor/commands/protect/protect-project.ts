import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from '../../../files/path-containment.ts';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';
import { findGuarded, type GuardedPlaces } from './find-guarded.ts';
import { heldNames } from './held-names.ts';
import { recordHeld } from './held-record.ts';
import type { NameHolder } from './name-holder.ts';

export type ProjectProtectionOptions = {
  /** Real paths of what commands may write. */
  readonly directories: readonly string[];
  readonly workingDirectory: string;
  /** Directories of this program's own that commands must not see, wherever they lie: real paths. */
  readonly privateDirectories: readonly string[];
  readonly holder: NameHolder;
};

/** What is laid over a project while a command runs. */
export type Protection = GuardedPlaces & {
  readonly held: readonly CoveredPath[];
  /** To be called when the command has ended. */
  release(): void;
};

/** Keeps the commands of one run from what they must not change in a project, whether it is there or not, and from its secrets. */
export class ProjectProtection {
  readonly #options: ProjectProtectionOptions;
  #found: Promise<readonly GuardedPlaces[]> | undefined;

  constructor(options: ProjectProtectionOptions) {
    this.#options = options;
  }

  /**
   * For one command. What lies deep in a project was looked for before the first command of the run; what lies at the top of a root or of the
   * working directory is looked at each time. Rejects where it cannot be noted in `runDirectory` what is held.
   */
  async protect(runDirectory: string): Promise<Protection> {
    const { directories, workingDirectory, privateDirectories, holder } = this.#options;
    this.#found ??= Promise.all(directories.map(findGuarded));
    const found = await this.#found;
    const tops = [...new Set([...directories, workingDirectory])];
    const wanted = tops.flatMap((top) => heldNames.map(({ path, kind }) => ({ path: join(top, path), kind })));
    await recordHeld(runDirectory, holder.whatMayBeHeld(wanted));
    const held = holder.hold(wanted);
    const heldPaths = new Set(held.map(({ path }) => path));
    const own = privateDirectories.filter((path) => directories.some((directory) => isWithin(directory, path)));
    const masked = [...(await keepThere(found.flatMap((places) => places.masked))), ...(await describe(own))];
    const maskedPaths = new Set(masked.map(({ path }) => path));
    const guarded = [...found.flatMap((places) => places.guarded), ...wanted.map(({ path }) => path)];
    const covered = guarded.filter((path) => !heldPaths.has(path) && !maskedPaths.has(path));
    return { guarded: await keepPlain([...new Set(covered)]), masked, held, release: () => holder.release(held) };
  }
}

async function describe(paths: readonly string[]): Promise<readonly CoveredPath[]> {
  const kinds = await Promise.all(paths.map(kindAt));
  return paths.flatMap((path, index) => {
    const kind = kinds[index];
    return kind == null ? [] : [{ path, kind }];
  });
}

/** Nothing can be laid over a link. */
async function keepPlain(paths: readonly string[]): Promise<readonly string[]> {
  const kinds = await Promise.all(paths.map(kindAt));
  return paths.filter((_, index) => kinds[index] === 'file' || kinds[index] === 'directory');
}

/** Nothing is laid over a file that has gone: that would make it again. */
async function keepThere(places: readonly CoveredPath[]): Promise<readonly CoveredPath[]> {
  const kinds = await Promise.all(places.map(({ path }) => kindAt(path)));
  return places.filter(({ kind }, index) => kinds[index] === kind);
}

async function kindAt(path: string): Promise<CoveredPath['kind'] | null> {
  try {
    const stats = await lstat(path);
    if (stats.isDirectory()) {
      return 'directory';
    }
    return stats.isFile() ? 'file' : null;
  } catch {
    return null;
  }
}
