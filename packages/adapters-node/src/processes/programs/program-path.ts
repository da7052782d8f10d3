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
  /** Directories that calls may read: nothing in them is run. Defaults to an empty list. */
  readonly roots?: readonly string[];
};

/** A program that was found but must not run. */
export type PassedOver = {
  readonly path: string;
  readonly fault: PathFault;
};

export type ProgramSearch = {
  /** The first program that may run; null if no program may. */
  readonly path: string | null;
  /** The programs rejected before it. */
  readonly passedOver: readonly PassedOver[];
};

type JudgedEntry = { readonly directory: string; readonly fault: PathFault | null };

type Judged = {
  readonly judge: ProgramTrust;
  readonly entries: readonly JudgedEntry[];
};

/** The ending of an executable's name: on Windows only files that need no shell, unless the name asks for a script of it. */
const ending = process.platform === 'win32' ? '.exe' : '';

/** More entries than anybody has; each is inspected. */
const maxEntries = 500;

/**
 * PATH without entries that a project or another user could have placed there, for this server and the programs that it starts. Judged
 * once; `renew` repeats the judgement. Rejects only if the system is out of resources.
 */
export class ProgramPath {
  readonly #environment: Environment;
  readonly #roots: Set<string>;
  #judged: Promise<Judged> | undefined;

  constructor({ environment, roots = [] }: ProgramPathOptions) {
    this.#environment = environment;
    this.#roots = new Set(roots);
  }

  /** Adds directories to the roots, such as those that a client has named since. Returns whether any of them is new. */
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

  /** The safe directories of PATH, in order. */
  async directories(): Promise<readonly string[]> {
    const { entries } = await this.#judge();
    return entries.flatMap(({ directory, fault }) => (fault === null ? [directory] : []));
  }

  /** PATH for a program that we start. Never empty: an empty PATH means the current directory. */
  async forChildren(): Promise<string> {
    const directories = await this.directories();
    return (directories.length === 0 ? systemDirectories : directories).join(delimiter);
  }

  async search(name: string): Promise<ProgramSearch> {
    const { judge, entries } = await this.#judge();
    return searchEntries(name, entries, judge);
  }

  /** Looks for a program in a directory that PATH need not contain, under the same rule. */
  async searchIn(directory: string, name: string): Promise<ProgramSearch> {
    const { judge } = await this.#judge();
    return searchEntries(name, [await judgeEntry(directory, judge)], judge);
  }

  async find(name: string): Promise<string | null> {
    return (await this.search(name)).path;
  }

  /** The fault of a program found without PATH, such as one that npx has fetched; null if it is safe. */
  async judgeProgram(path: string): Promise<PathFault | null> {
    return (await this.#judge()).judge.judgeProgram(path);
  }

  /** Discards the judgement: directories may have been created since, or programs installed. */
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
    const path = join(directory, /\.cmd$/i.test(name) ? name : name + ending);
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

/** npm sets these to the project from which it started us. */
const npmVariables = ['INIT_CWD', 'npm_config_local_prefix'] as const;

/**
 * Directories whose files a stranger may have written, by name and by real path: the start directory, the roots, and the project from which
 * npm started us. Leaves out the home, and directories that contain it or the system's programs: otherwise all programs would count as a
 * project's.
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

/** Empty if the directory is gone: no path leads below it any more. */
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
