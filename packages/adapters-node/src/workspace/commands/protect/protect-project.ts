import { createHash } from 'node:crypto';
import { type Dirent, existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { redactGitConfig } from '@gemini-mcp/core/internal';
import { isWithin, withoutInner } from '../../../processes/path-containment.ts';
import type { CoveredPath } from '../sandbox/sandbox-view.ts';
import { GuardedLook, type GuardedPaths } from './guarded-look.ts';
import { heldNames } from './held-names.ts';
import { forgetHeld, readOthersHeld, recordHeld } from './held-record.ts';
import type { HeldTop, NameHolder, OpenTop } from './name-holder.ts';

export type ProjectProtectionOptions = {
  /** The roots, which commands may write, by real path. One may lie inside another. */
  readonly directories: readonly string[];
  readonly workingDirectory: string;
  /** This program's own directories that commands must not see, wherever they lie: real paths. */
  readonly privateDirectories: readonly string[];
  readonly holder: NameHolder;
};

/** The mounts over a project while a program runs in it. */
export type MountedProtection = Omit<GuardedPaths, 'programs'> & {
  readonly held: readonly CoveredPath[];
};

export type Protection = {
  /** Files and directories that exist only because their names are held. */
  readonly held: readonly CoveredPath[];
  /** The present state. Protects installed programs unless the user allowed this very command. One look at a time. */
  look(isAllowedByUser: boolean): Promise<MountedProtection>;
  release(): void;
};

/** Keeps the commands of one run from changing protected files of a project, whether they exist or not, and from reading its secrets. */
export class ProjectProtection {
  readonly #options: ProjectProtectionOptions;
  readonly #looks: readonly GuardedLook[];
  #protections = 0;

  constructor(options: ProjectProtectionOptions) {
    this.#options = options;
    this.#looks = withoutInner(options.directories).map((directory) => new GuardedLook(directory));
  }

  /** Begins to hold names. Rejects if a directory of the project is gone, or if the held names cannot be recorded in `runDirectory`. */
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

  async #look(tops: readonly OpenTop[], runDirectory: string, isAllowedByUser: boolean): Promise<MountedProtection> {
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

/** The existing ones. Nothing can be mounted over a link. */
function describe(paths: readonly string[]): readonly CoveredPath[] {
  return paths.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const kind = stats?.isDirectory() === true ? 'directory' : 'file';
    return kind === 'directory' || stats?.isFile() === true ? [{ path, kind }] : [];
  });
}

/** More than a repository has with all its submodules. */
const maxEntries = 5_000;
const maxConfigBytes = 1_048_576;

const configs: ReadonlySet<string> = new Set(['config', 'config.worktree']);

/** Keys that programs store in a repository's directory. */
const secretPlaces = [join('annex', 'creds'), 'git-crypt'];

/** Directories of a repository without settings or submodule repositories. */
const passedOver: ReadonlySet<string> = new Set(['objects', 'refs', 'logs', 'hooks', 'info', 'lfs', 'rr-cache']);

/**
 * Finds the credentials in the directories of repositories. Commands see settings that contain one without it, from a copy in
 * `runDirectory`; they cannot read credential files. Throws if a copy cannot be written.
 */
function findRepositorySecrets(repositories: readonly string[], runDirectory: string): readonly CoveredPath[] {
  return repositories.flatMap((repository) => {
    const secrets = secretPlaces.map((place) => join(repository, place)).filter(isDirectory);
    return [
      ...secrets.map((path) => ({ path, kind: 'directory' as const })),
      ...filesOf(repository).flatMap((path) => coverOf(path, runDirectory)),
    ];
  });
}

/** The settings and credentials of a repository, its worktrees and its submodules at any depth. */
function filesOf(repository: string): readonly string[] {
  const found: string[] = [];
  const waiting = [repository];
  let room = maxEntries;
  for (const directory of waiting) {
    const entries = entriesOf(directory).slice(0, Math.max(0, room));
    room -= entries.length;
    const isTop = directory === repository;
    const files = entries.filter((entry) => entry.isFile() && secretFile.test(entry.name));
    const deeper = entries.filter((entry) => entry.isDirectory() && leadsOn(entry.name, isTop));
    found.push(...files.map(({ name }) => join(directory, name)));
    waiting.push(...deeper.map(({ name }) => join(directory, name)));
  }
  return found;
}

const secretFile = /^config(?:\.worktree)?$|credential/i;

function leadsOn(name: string, isTop: boolean): boolean {
  return isTop ? name === 'modules' || name === 'worktrees' : !passedOver.has(name);
}

function coverOf(path: string, runDirectory: string): readonly CoveredPath[] {
  const kind = 'file';
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!configs.has(basename(path)) || (stats !== undefined && stats.size > maxConfigBytes)) {
    return [{ path, kind }];
  }
  const text = readText(path);
  const shown = text === null ? null : redactGitConfig(text);
  if (text === null || shown === null || shown === text) {
    return [];
  }
  const file = join(runDirectory, `settings-${createHash('sha256').update(`${path}\0${shown}`).digest('hex')}`);
  if (!existsSync(file)) {
    writeFileSync(file, shown, { encoding: 'latin1', mode: 0o600 });
  }
  return [{ path, kind, file }];
}

/** Byte by byte, so that nothing else is changed. Null if a command cannot read the file either. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
