import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { RealRoots } from '../../disk/real-roots.ts';
import { isWithin } from '../../processes/path-containment.ts';

/** A Git repository whose parts may be read. All paths are real. */
export type Repository = {
  /** The top of the working tree; of a bare repository the repository itself. */
  readonly top: string;
  /** Holds `HEAD` and the index. */
  readonly gitDirectory: string;
  /** Holds objects, branches and the configuration: another directory for a linked working tree. */
  readonly commonDirectory: string;
  readonly isBare: boolean;
};

export type RepositoryFound =
  | { readonly ok: true; readonly repository: Repository }
  | { readonly ok: false; readonly problem: string };

/**
 * Finds the repository around a directory, a real path inside the roots, without running Git. Its Git directory is `.git` at its top, or lies inside
 * the roots, or names this working tree as its own: a project cannot lend itself another one's history.
 */
export async function findRepository(directory: string, roots: RealRoots): Promise<RepositoryFound> {
  for (let top = directory; ; top = dirname(top)) {
    const found = await repositoryAt(top, roots);
    if (found !== null) {
      return found;
    }
    if (top === dirname(top)) {
      const problem = `${directory} is not in a Git repository. Name one in workingDirectory, or give the patch as text.`;
      return { ok: false, problem };
    }
  }
}

async function repositoryAt(top: string, roots: RealRoots): Promise<RepositoryFound | null> {
  const marker = join(top, '.git');
  const stats = await lstat(marker).catch(() => null);
  if (stats === null) {
    return (await isGitDirectory(top))
      ? checked({ top, gitDirectory: top, commonDirectory: top, isBare: true }, roots)
      : null;
  }
  const gitDirectory = stats.isFile() ? await followFile(marker, top) : await realpath(marker);
  if (gitDirectory === null || !(await isGitDirectory(gitDirectory))) {
    return { ok: false, problem: `${marker} is no Git directory, or leads to none.` };
  }
  const isOwn =
    gitDirectory === marker || roots.contains(gitDirectory) || (await namesWorkingTree(gitDirectory, marker));
  if (!isOwn) {
    return {
      ok: false,
      problem: `${marker} leads to ${gitDirectory}, which is outside the allowed directories and is not its own.`,
    };
  }
  const commonDirectory = await commonDirectoryOf(gitDirectory);
  return commonDirectory === null
    ? { ok: false, problem: `${gitDirectory} does not belong to the repository that it names.` }
    : checked({ top, gitDirectory, commonDirectory, isBare: false }, roots);
}

/** What a `.git` file leads to. */
async function followFile(marker: string, top: string): Promise<string | null> {
  const [, path] = /^gitdir: (.+?)\r?\n?$/.exec(await readSmall(marker)) ?? [];
  return path === undefined ? null : await realpath(resolve(top, path)).catch(() => null);
}

async function isGitDirectory(path: string): Promise<boolean> {
  const head = await readSmall(join(path, 'HEAD'));
  return /^(?:ref: refs\/|[0-9a-f]{40,64}\s*$)/.test(head);
}

/** Whether a Git directory outside the roots was made for this working tree: `git worktree` writes that into it, and so does a submodule. */
async function namesWorkingTree(gitDirectory: string, marker: string): Promise<boolean> {
  const linked = (await readSmall(join(gitDirectory, 'gitdir'))).trim();
  const [, worktree] = /^\s*worktree = (.+)$/m.exec(await readSmall(join(gitDirectory, 'config'))) ?? [];
  const named = [
    ...(linked === '' ? [] : [resolve(gitDirectory, linked)]),
    ...(worktree === undefined ? [] : [join(resolve(gitDirectory, worktree), '.git')]),
  ];
  const real = await Promise.all(named.map((path) => realpath(path).catch(() => null)));
  return real.includes(marker);
}

/** Null if a linked working tree names a repository that does not know it. */
async function commonDirectoryOf(gitDirectory: string): Promise<string | null> {
  const named = (await readSmall(join(gitDirectory, 'commondir'))).trim();
  if (named === '') {
    return gitDirectory;
  }
  const common = await realpath(resolve(gitDirectory, named)).catch(() => null);
  return common !== null && join(common, 'worktrees', basename(gitDirectory)) === gitDirectory ? common : null;
}

/** Refuses a repository whose objects lie elsewhere: they could be those of a project that may not be read. */
async function checked(repository: Repository, roots: RealRoots): Promise<RepositoryFound> {
  const elsewhere = await objectsElsewhere(
    join(repository.commonDirectory, 'objects'),
    (path) => isWithin(repository.commonDirectory, path) || roots.contains(path),
  );
  return elsewhere === null
    ? { ok: true, repository }
    : {
        ok: false,
        problem: `The repository takes its objects from ${elsewhere}, which is outside the allowed directories.`,
      };
}

const maxAlternates = 10;

async function objectsElsewhere(
  objects: string,
  isAllowed: (path: string) => boolean,
  depth = 0,
): Promise<string | null> {
  const real = await realpath(objects).catch(() => null);
  if (real === null || !isAllowed(real) || depth > maxAlternates) {
    return objects;
  }
  for (const directory of [objects, join(objects, 'pack'), join(objects, 'info')]) {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    const link = entries.find((entry) => entry.isSymbolicLink());
    if (link !== undefined) {
      return join(directory, link.name);
    }
  }
  const alternates = (await readSmall(join(objects, 'info', 'alternates'))).split('\n');
  for (const alternate of alternates.filter((line) => line.trim() !== '' && !line.startsWith('#'))) {
    const found = await objectsElsewhere(resolve(objects, alternate), isAllowed, depth + 1);
    if (found !== null) {
      return found;
    }
  }
  return null;
}

const maxSmallBytes = 65_536;

/** The text of a small regular file; empty if it is missing. */
export async function readSmall(path: string): Promise<string> {
  try {
    const stats = await lstat(path);
    return stats.isFile() && stats.size <= maxSmallBytes ? await readFile(path, 'utf8') : '';
  } catch {
    return '';
  }
}
