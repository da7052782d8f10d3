import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangeRead, ChangeReader, ChangeRequest, Clock } from '@gemini-mcp/core';
import type { PinnedPaths } from '../../disk/pin-paths.ts';
import { RealRoots } from '../../disk/real-roots.ts';
import { findCompared } from './compared-commits.ts';
import { findRepository, type Repository } from './find-repository.ts';
import { Git } from './git.ts';
import { openGitChange } from './open-git-change.ts';
import { openPatch } from './open-patch.ts';
import { createPrivateGitDirectory, type PrivateGitDirectory } from './private-git-directory.ts';

export type GitChangeReaderOptions = {
  readonly clock: Clock;
  /** Private to this user, created when needed: what Git needs for a reading lies in `runs/`. */
  readonly stateDirectory: string;
  /** Nothing in them is read, even inside a root. */
  readonly privateDirectories: readonly string[];
  /** The real paths of the roots at program start. Resolved with each reading if missing. */
  readonly pinned?: PinnedPaths;
};

/** Reads changes by Git, with nothing of the repository's own settings in effect. */
export class GitChangeReader implements ChangeReader {
  readonly #options: GitChangeReaderOptions;

  constructor(options: GitChangeReaderOptions) {
    this.#options = { ...options, privateDirectories: [...options.privateDirectories, options.stateDirectory] };
  }

  async read(request: ChangeRequest, signal: AbortSignal): Promise<ChangeRead> {
    signal.throwIfAborted();
    const { pinned, privateDirectories } = this.#options;
    const real = await Promise.all(
      request.roots.map(async (root) => pinned?.get(root) ?? (await realpath(root).catch(() => root))),
    );
    const roots = new RealRoots({ directories: real, privateDirectories });
    const directory = await realpath(request.directory).catch(() => null);
    if (directory === null || !roots.contains(directory) || !(await stat(directory)).isDirectory()) {
      return { ok: false, problem: `${request.directory} is no directory inside the allowed ones. ${nameAnother}` };
    }
    const { selection } = request;
    if (selection.type === 'patch') {
      return openPatch(selection.text, { directory, roots });
    }
    const found = await findRepository(directory, roots);
    if (!found.ok) {
      return found;
    }
    if (found.repository.isBare && (selection.type === 'working' || selection.type === 'staged')) {
      return { ok: false, problem: 'A bare repository has no working tree and no index. Name a commit or a range.' };
    }
    const read = await this.#readIn(found.repository, { ...request, selection }, roots, signal);
    if (signal.aborted && read.ok) {
      await read.change.close();
    }
    signal.throwIfAborted();
    return read;
  }

  async #readIn(
    repository: Repository,
    { selection, deadlineAtMs }: ChangeRequest & { readonly selection: GitSelection },
    roots: RealRoots,
    signal: AbortSignal,
  ): Promise<ChangeRead> {
    const { clock, stateDirectory } = this.#options;
    let directory: PrivateGitDirectory;
    try {
      directory = await createPrivateGitDirectory(repository, join(stateDirectory, 'runs'));
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown error';
      return { ok: false, problem: `The change could not be read: ${reason}` };
    }
    const { top, isBare } = repository;
    const git = await Git.find(directory, { top, isBare, timeLeft: () => deadlineAtMs - clock.now() });
    const found = git === null ? withoutGit : await findCompared(selection, git, signal);
    if (git === null || !found.ok) {
      await directory.run.remove();
      return found.ok ? withoutGit : found;
    }
    const { compared } = found;
    return openGitChange({ git, top, roots, compared, close: () => directory.run.remove() }, signal);
  }
}

type GitSelection = Exclude<ChangeRequest['selection'], { readonly type: 'patch' }>;

const nameAnother = 'Name one in workingDirectory. The operator can allow more with GEMINI_MCP_ROOTS.';

const withoutGit = {
  ok: false,
  problem: 'Git was not found in the directories of the system. Install it, or give the patch as text.',
} as const;
