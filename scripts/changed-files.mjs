// Lists the files that differ from the main branch.
import { spawnSync } from 'node:child_process';
import { rootDirectory } from './run-step.mjs';

/** Several commits may have been pushed to `main` at once. */
const pushedTogetherSeconds = 86_400;

/**
 * Paths below the root, with `/`: the changes since the branch left `main`, and uncommitted ones. On `main` itself, those
 * within a day before its last commit. Null if Git does not know, such as in a shallow clone.
 */
export function listChangedFiles(directory = rootDirectory) {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: directory, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const base = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main');
  const isMain = base !== null && base === git('rev-parse', 'HEAD');
  const since = isMain ? beforeLastDay(git) : base;
  const changed = since === null ? null : git('diff', '--name-only', since);
  const added = git('ls-files', '--others', '--exclude-standard');
  return changed === null || added === null ? null : `${changed}\n${added}`.split('\n').filter((path) => path !== '');
}

function beforeLastDay(git) {
  const lastCommitAt = Number(git('log', '-1', '--format=%ct'));
  return git('rev-list', '-1', `--before=${lastCommitAt - pushedTogetherSeconds}`, 'HEAD') || null;
}
