import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { type Environment, searchPathOf } from '../gemini-cli/environment/child-environment.ts';
import { isExecutableFile } from './is-executable-file.ts';
import type { PathFault } from './path-fault.ts';
import { PlaceJudge } from './place-judge.ts';
import { projectDirectories } from './project-directories.ts';
import { systemDirectories } from './system-directories.ts';

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
  readonly judge: PlaceJudge;
  readonly entries: readonly JudgedEntry[];
};

/** The ways in which an executable's name may end: on Windows only what needs no shell. */
const endings = process.platform === 'win32' ? ['.exe'] : [''];

/** More entries than anybody has; each is looked at. */
const maxEntries = 500;

/**
 * Where this server and the programs that it starts look for programs: PATH without what a project or another user could have
 * put there. Judged once, when it is first asked; `renew` lets it be judged again. Everything here rejects where the system has
 * nothing left to look with, and only then.
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
    const judge = new PlaceJudge({ projects });
    const names = [...new Set(searchPathOf(environment).split(delimiter))].slice(0, maxEntries);
    const entries = await Promise.all(names.map((name) => judgeEntry(name, judge)));
    return { judge, entries };
  }
}

async function searchEntries(name: string, entries: readonly JudgedEntry[], judge: PlaceJudge): Promise<ProgramSearch> {
  const passedOver: PassedOver[] = [];
  for await (const { path, fault: ofDirectory } of candidates(name, entries)) {
    const fault = ofDirectory ?? (await judge.judgeProgram(path));
    if (fault === null) {
      return { path, passedOver };
    }
    passedOver.push({ path, fault });
  }
  return { path: null, passedOver };
}

/** The executable files of a name, each with what is wrong with its directory. */
async function* candidates(
  name: string,
  entries: readonly JudgedEntry[],
): AsyncGenerator<{ readonly path: string; readonly fault: PathFault | null }> {
  for (const { directory, fault } of entries) {
    for (const ending of endings) {
      const path = join(directory, name + ending);
      if (await isExecutableFile(path)) {
        yield { path, fault };
      }
    }
  }
}

async function judgeEntry(name: string, judge: PlaceJudge): Promise<JudgedEntry> {
  return isAbsolute(name)
    ? { directory: name, fault: await judge.judgeDirectory(name) }
    : { directory: resolve(name), fault: { kind: 'relative', place: name } };
}
