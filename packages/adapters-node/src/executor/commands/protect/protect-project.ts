import { lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isWithin, withoutInner } from '../../../files/path-containment.ts';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';
import { GuardedLook, type GuardedPlaces } from './guarded-look.ts';
import { heldNames } from './held-names.ts';
import { forgetHeld, readOthersHeld, recordHeld } from './held-record.ts';
import type { HeldTop, NameHolder, OpenTop } from './name-holder.ts';
import { findRepositorySecrets } from './repository-secrets.ts';

export type ProjectProtectionOptions = {
  /** Real paths of the roots: what commands may write. One may lie inside another. */
  readonly directories: readonly string[];
  readonly workingDirectory: string;
  /** Directories of this program's own that commands must not see, wherever they lie: real paths. */
  readonly privateDirectories: readonly string[];
  readonly holder: NameHolder;
};

/** What is laid over a project while a program runs in it. */
export type ProtectedPlaces = Omit<GuardedPlaces, 'programs'> & {
  readonly held: readonly CoveredPath[];
};

/** For one command line. */
export type Protection = {
  /** What is there only because it is held. */
  readonly held: readonly CoveredPath[];
  /**
   * What is there now. Installed programs are protected unless the user allowed this very command. One look at a time.
   */
  look(isAllowedByUser: boolean): Promise<ProtectedPlaces>;
  /** To be called when the command line has ended. */
  release(): void;
};

/** Keeps the commands of one run from what they must not change in a project, whether it is there or not, and from its secrets. */
export class ProjectProtection {
  readonly #options: ProjectProtectionOptions;
  readonly #looks: readonly GuardedLook[];
  #protections = 0;

  constructor(options: ProjectProtectionOptions) {
    this.#options = options;
    this.#looks = withoutInner(options.directories).map((directory) => new GuardedLook(directory));
  }

  /** Begins to hold names. Rejects if a directory of the project has gone, or it cannot be noted in `runDirectory` what is held. */
  async protect(runDirectory: string): Promise<Protection> {
    const { directories, workingDirectory, holder } = this.#options;
    const tops: OpenTop[] = [];
    const release = (): void => {
      this.#protections -= 1;
      if (this.#protections === 0) {
        forgetHeld(runDirectory);
      }
      const others = readOthersHeld(runDirectory);
      for (const top of tops) {
        holder.release(top, others);
      }
    };
    this.#protections += 1;
    try {
      for (const directory of new Set([...directories, workingDirectory])) {
        tops.push(holder.open(directory));
      }
      await recordHeld(runDirectory, recordOf(tops));
      const others = readOthersHeld(runDirectory);
      for (const top of tops) {
        top.share(others);
        top.hold();
      }
      await recordHeld(runDirectory, recordOf(tops));
    } catch (error) {
      release();
      throw error;
    }
    return {
      held: tops.flatMap((top) => top.hold()),
      look: (isAllowed) => this.#look(tops, runDirectory, isAllowed),
      release,
    };
  }

  async #look(tops: readonly OpenTop[], runDirectory: string, isAllowedByUser: boolean): Promise<ProtectedPlaces> {
    const { directories, privateDirectories } = this.#options;
    const held = tops.flatMap((top) => top.hold());
    const found = await Promise.all(this.#looks.map((look) => look.look()));
    const own = withoutInner(privateDirectories).filter((path) =>
      directories.some((directory) => isWithin(directory, path)),
    );
    const repositories = new Set(
      [...found.flatMap((places) => places.guarded), ...tops.map(({ directory }) => join(directory, '.git'))].filter(
        (path) => basename(path) === '.git' && !held.some((one) => one.path === path),
      ),
    );
    const masked = [
      ...found.flatMap((places) => places.masked),
      ...describe(own),
      ...findRepositorySecrets([...repositories], runDirectory),
    ];
    const taken = new Set([...held, ...masked].map(({ path }) => path));
    const heldPaths = new Set(held.map(({ path }) => path));
    const names = tops.flatMap(({ directory }) => heldNames.map(({ path }) => join(directory, path)));
    const programs = isAllowedByUser ? [] : found.flatMap((places) => places.programs);
    const guarded = [
      ...found.flatMap((places) => places.guarded),
      ...programs,
      ...describe(names).map(({ path }) => path),
    ];
    return {
      guarded: [...new Set(guarded)].filter((path) => !taken.has(path)),
      masked: masked.filter(({ path }) => !heldPaths.has(path)),
      held,
      cut: found.find((places) => places.cut !== null)?.cut ?? null,
    };
  }
}

function recordOf(tops: readonly OpenTop[]): readonly HeldTop[] {
  return tops.map((top) => top.record);
}

/** Those that are there. Nothing can be laid over a link. */
function describe(paths: readonly string[]): readonly CoveredPath[] {
  return paths.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const kind = stats?.isDirectory() === true ? 'directory' : 'file';
    return kind === 'directory' || stats?.isFile() === true ? [{ path, kind }] : [];
  });
}
