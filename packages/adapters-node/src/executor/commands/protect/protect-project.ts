import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isWithin } from '../../../files/path-containment.ts';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';
import { type CutLook, GuardedLook } from './guarded-look.ts';
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
export type Protection = {
  /** Absolute paths of what is there and cannot be changed. */
  readonly guarded: readonly string[];
  /** What is there and cannot be read. */
  readonly masked: readonly CoveredPath[];
  /** Why more may have to be protected than is; null if everything was looked at. */
  readonly cut: CutLook | null;
  readonly held: readonly CoveredPath[];
  /** To be called when the command has ended. */
  release(): void;
};

/** Keeps the commands of one run from what they must not change in a project, whether it is there or not, and from its secrets. */
export class ProjectProtection {
  readonly #options: ProjectProtectionOptions;
  readonly #looks: readonly GuardedLook[];

  constructor(options: ProjectProtectionOptions) {
    this.#options = options;
    this.#looks = options.directories.map((directory) => new GuardedLook(directory));
  }

  /**
   * For one command, as the project is now. Installed programs are protected unless the user allowed this very command. Rejects where it cannot be
   * noted in `runDirectory` what is held.
   */
  async protect(runDirectory: string, isAllowedByUser: boolean): Promise<Protection> {
    const { directories, workingDirectory, privateDirectories, holder } = this.#options;
    const found = await Promise.all(this.#looks.map((look) => look.look()));
    const tops = [...new Set([...directories, workingDirectory])];
    const wanted = tops.flatMap((top) => heldNames.map(({ path, kind }) => ({ path: join(top, path), kind })));
    await recordHeld(runDirectory, holder.whatMayBeHeld(wanted));
    const held = holder.hold(wanted);
    const heldPaths = new Set(held.map(({ path }) => path));
    const own = privateDirectories.filter((path) => directories.some((directory) => isWithin(directory, path)));
    const masked = [...(await keepThere(found.flatMap((places) => places.masked))), ...(await describe(own))];
    const maskedPaths = new Set(masked.map(({ path }) => path));
    const programs = isAllowedByUser ? [] : found.flatMap((places) => places.programs);
    const guarded = [...found.flatMap((places) => places.guarded), ...programs, ...wanted.map(({ path }) => path)];
    const cut = found.find((places) => places.cut !== null)?.cut ?? null;
    const covered = guarded.filter((path) => !heldPaths.has(path) && !maskedPaths.has(path));
    return { guarded: await keepPlain([...new Set(covered)]), masked, cut, held, release: () => holder.release(held) };
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
