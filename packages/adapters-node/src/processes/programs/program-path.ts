import { realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../path-containment.ts';
import { type Environment, searchPathOf } from './child-environment.ts';
import { systemDirectories } from './find-system-program.ts';
import { accountHome, homeDirectory } from './home-directory.ts';
import { isExecutableFile } from './is-executable-file.ts';
import type { PathFault } from './path-fault.ts';
import { ProgramTrust } from './program-trust.ts';

export type ProgramPathOptions = {
  readonly environment: Environment;
  /** Directories that calls may read: nothing in them is run. None when it is missing. */
  readonly roots?: readonly string[];
};

/** A program that was looked at and is not run. */
export type PassedOver = {
  readonly path: string;
  readonly fault: PathFault;
};

export type ProgramSearch = {
  /** The first one that may be run; null when there is none. */
  readonly path: string | null;
  /** Those that were looked at before it. */
  readonly passedOver: readonly PassedOver[];
};

type JudgedEntry = { readonly directory: string; readonly fault: PathFault | null };

type Judged = {
  readonly judge: ProgramTrust;
  readonly entries: readonly JudgedEntry[];
};

/** Of an executable's name: on Windows only what needs no shell. */
const ending = process.platform === 'win32' ? '.exe' : '';

/** More entries than anybody has; each is looked at. */
const maxEntries = 500;

/**
 * PATH without what a project or another user could have put there, for this server and the programs that it starts. Judged once;
 * `renew` lets it be judged again. Rejects only if the system has run out of something.
 */
export class ProgramPath {
  readonly #environment: Environment;
  readonly #roots: Set<string>;
  #judged: Promise<Judged> | undefined;

  constructor({ environment, roots = [] }: ProgramPathOptions) {
    this.#environment = environment;
    this.#roots = new Set(roots);
  }

  /** Takes directories for roots as well, such as a client has named since. Returns whether any of them is new. */
  exclude(roots: readonly string[]): boolean {
    const before = this.#roots.size;
    for (const root of roots) {
      this.#roots.add(root);
    }
    const isNew = this.#roots.size > before;
    if (isNew) {
      this.renew();
    }
    return isNew;
  }

  /** The safe directories of PATH, in its order. */
  async directories(): Promise<readonly string[]> {
    const { entries } = await this.#judge();
    return entries.flatMap(({ directory, fault }) => (fault === null ? [directory] : []));
  }

  /** PATH for a program that we start. Never empty: an empty one means the current directory. */
  async forChildren(): Promise<string> {
    const directories = await this.directories();
    return (directories.length === 0 ? systemDirectories : directories).join(delimiter);
  }

  async search(name: string): Promise<ProgramSearch> {
    const { judge, entries } = await this.#judge();
    return searchEntries(name, entries, judge);
  }

  /** Looks for a program in a directory that PATH need not name, under the same rule. */
  async searchIn(directory: string, name: string): Promise<ProgramSearch> {
    const { judge } = await this.#judge();
    return searchEntries(name, [await judgeEntry(directory, judge)], judge);
  }

  async find(name: string): Promise<string | null> {
    return (await this.search(name)).path;
  }

  /** What is wrong with a program that PATH did not lead to, such as one that npx has fetched; null when nothing is. */
  async judgeProgram(path: string): Promise<PathFault | null> {
    return (await this.#judge()).judge.judgeProgram(path);
  }

  /** Forgets what was judged: directories may have been made since, or programs installed. */
  renew(): void {
    this.#judged = undefined;
  }

  #judge(): Promise<Judged> {
    const judged = this.#judged ?? this.#look();
    this.#judged = judged;
    judged.catch(() => this.renew());
    return judged;
  }

  async #look(): Promise<Judged> {
    const environment = this.#environment;
    const projects = await projectDirectories({ environment, roots: [...this.#roots] });
    const judge = new ProgramTrust({ projects });
    const names = [...new Set(searchPathOf(environment).split(delimiter))].slice(0, maxEntries);
    const entries = await Promise.all(names.map((name) => judgeEntry(name, judge)));
    return { judge, entries };
  }
}

async function searchEntries(
  name: string,
  entries: readonly JudgedEntry[],
  judge: ProgramTrust,
): Promise<ProgramSearch> {
  const passedOver: PassedOver[] = [];
  for (const { directory, fault: ofDirectory } of entries) {
    const path = join(directory, name + ending);
    if (await isExecutableFile(path)) {
      const fault = ofDirectory ?? (await judge.judgeProgram(path));
      if (fault === null) {
        return { path, passedOver };
      }
      passedOver.push({ path, fault });
    }
  }
  return { path: null, passedOver };
}

async function judgeEntry(name: string, judge: ProgramTrust): Promise<JudgedEntry> {
  return isAbsolute(name)
    ? { directory: name, fault: await judge.judgeDirectory(name) }
    : { directory: resolve(name), fault: { kind: 'relative', place: name } };
}

type ProjectDirectoriesOptions = {
  readonly environment: Environment;
  /** Directories that calls may read. */
  readonly roots: readonly string[];
};

/** npm names here the project from which it started us. */
const npmVariables = ['INIT_CWD', 'npm_config_local_prefix'] as const;

/**
 * Directories whose files a stranger may have written, by name and by real path: that of the start, the roots, and the project from which
 * npm started us. Not the home, nor what holds it or the system's programs: all programs would be a project's.
 */
async function projectDirectories(options: ProjectDirectoriesOptions): Promise<readonly string[]> {
  const { environment, roots } = options;
  const ofNpm = npmVariables.flatMap((name) => environment[name] ?? []).filter((path) => isAbsolute(path));
  const named = [...startedIn(), ...roots, ...ofNpm].map((path) => resolve(path));
  const homes = await withRealPaths([homeDirectory(environment), accountHome() ?? []].flat());
  const kept = [...homes, ...(await withRealPaths(systemDirectories))];
  const directories = await withRealPaths(named);
  return directories.filter((directory) => !kept.some((place) => isWithin(directory, place)));
}

/** Nothing where the directory is gone: no path leads below it any more. */
function startedIn(): readonly string[] {
  try {
    return [process.cwd()];
  } catch {
    return [];
  }
}

async function withRealPaths(paths: readonly string[]): Promise<readonly string[]> {
  const reals = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  return [...new Set([...paths, ...reals])];
}
