// The files that differ from the branch that the work goes to.
import { spawnSync } from 'node:child_process';
import { rootDirectory } from './run-step.mjs';

/**
 * Paths below the root, with `/`: those changed since the branch left `main`, and those not committed. On `main` itself, the
 * files of its last commit. Null where Git cannot tell, as in a clone of one commit.
 */
export function listChangedFiles(directory = rootDirectory) {
  const git = (...args) => {
    const { status, stdout } = spawnSync('git', args, { cwd: directory, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : null;
  };
  const base = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main');
  const isMain = base !== null && base === git('rev-parse', 'HEAD');
  const changed = base === null ? null : git('diff', '--name-only', isMain ? 'HEAD~1' : base);
  const added = git('ls-files', '--others', '--exclude-standard');
  return changed === null || added === null ? null : `${changed}\n${added}`.split('\n').filter((path) => path !== '');
}
