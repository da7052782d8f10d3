import { copyFile, lstat, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunDirectory, type RunDirectory } from '../../disk/run-directory/run-directory.ts';
import { type Repository, readSmall } from './find-repository.ts';

/** A Git directory of ours that shows a repository's history, without its configuration. Must be removed. */
export type PrivateGitDirectory = {
  readonly path: string;
  readonly run: RunDirectory;
};

/** Settings that change how files are compared, and start nothing. */
const harmlessSettings =
  /^\s*(filemode|ignorecase|symlinks|precomposeunicode|autocrlf|objectformat|refstorage)\s*=\s*"?([a-z0-9]+)"?\s*$/gim;

/**
 * Creates a Git directory with the repository's objects, branches, `HEAD` and index, and with settings of ours. The repository's own settings, hooks
 * and attributes are not in it: so Git finds no filter, monitor, diff program or pager to start, whatever `.gitattributes` name. The index is a copy,
 * because Git may write it. Rejects if the file system refuses.
 */
export async function createPrivateGitDirectory(
  { gitDirectory, commonDirectory, isBare }: Repository,
  runsDirectory: string,
): Promise<PrivateGitDirectory> {
  const run = await createRunDirectory(runsDirectory);
  const path = join(run.root, 'git');
  try {
    await mkdir(path, { mode: 0o700 });
    for (const name of ['objects', 'refs', 'packed-refs', 'reftable']) {
      await linkIfThere(join(commonDirectory, name), join(path, name));
    }
    const shared = (await readdir(gitDirectory)).filter((name) => /^sharedindex\.[0-9a-f]{40,64}$/.test(name));
    for (const name of ['index', ...shared]) {
      await copyIfThere(join(gitDirectory, name), join(path, name));
    }
    await copyIfThere(join(commonDirectory, 'shallow'), join(path, 'shallow'));
    await writeFile(join(path, 'HEAD'), await readSmall(join(gitDirectory, 'HEAD')));
    await writeFile(join(path, 'config'), configText(await readSmall(join(commonDirectory, 'config')), isBare));
    await mkdir(join(path, 'info'));
    await writeFile(join(path, 'info', 'exclude'), await readSmall(join(commonDirectory, 'info', 'exclude')));
    return { path, run };
  } catch (error) {
    await run.remove();
    throw error;
  }
}

async function linkIfThere(from: string, to: string): Promise<void> {
  const stats = await lstat(from).catch(() => null);
  if (stats?.isDirectory() === true || stats?.isFile() === true) {
    await symlink(from, to, stats.isDirectory() ? 'junction' : 'file');
  }
}

/**
 * The copy is not newer than the original: Git compares the content of a file only if it is as new as the index, and would otherwise take one that was
 * changed in the same moment for unchanged.
 */
async function copyIfThere(from: string, to: string): Promise<void> {
  const stats = await lstat(from).catch(() => null);
  if (stats?.isFile() === true) {
    await copyFile(from, to);
    const seconds = Math.floor(stats.mtimeMs) / 1_000;
    await utimes(to, seconds, seconds);
  }
}

/** Larger files count as binary: no diff of them is read. */
const bigFileBytes = 1_048_576;

function configText(theirs: string, isBare: boolean): string {
  const kept = new Map(
    [...theirs.matchAll(harmlessSettings)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value.toLowerCase(),
    ]),
  );
  const extensions = ['objectformat', 'refstorage'].flatMap((name) => {
    const value = kept.get(name);
    return value === undefined ? [] : [`\t${name} = ${value}`];
  });
  const compared = ['filemode', 'ignorecase', 'symlinks', 'precomposeunicode', 'autocrlf'].flatMap((name) => {
    const value = kept.get(name);
    return value === undefined ? [] : [`\t${name} = ${value}`];
  });
  return [
    '[core]',
    `\trepositoryformatversion = ${extensions.length === 0 ? 0 : 1}`,
    `\tbare = ${isBare}`,
    ...compared,
    '\tfsmonitor = false',
    '\tuntrackedCache = false',
    '\thooksPath = /dev/null',
    '\tattributesFile = /dev/null',
    '\texcludesFile = /dev/null',
    '\tquotePath = false',
    `\tbigFileThreshold = ${bigFileBytes}`,
    '[gc]\n\tauto = 0',
    '[maintenance]\n\tauto = false',
    '[protocol]\n\tallow = never',
    '[submodule]\n\trecurse = false',
    ...(extensions.length === 0 ? [] : ['[extensions]', ...extensions]),
    '',
  ].join('\n');
}
