import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createPrivateGitDirectory } from './private-git-directory.ts';
import { GitPlace } from './testing/git-place.ts';

async function open() {
  const place = new GitPlace();
  onTestFinished(() => place.remove());
  place.commit({ 'a.ts': 'one\n' });
  place.git('config', 'core.autocrlf', 'input');
  place.git('config', 'core.fsmonitor', '/bin/evil');
  const gitDirectory = join(place.top, '.git');
  const repository = { top: place.top, gitDirectory, commonDirectory: gitDirectory, isBare: false };
  const directory = await createPrivateGitDirectory(repository, join(place.root, 'state', 'runs'));
  onTestFinished(() => directory.run.remove());
  return { gitDirectory, directory };
}

it('has an index that is no newer than the original', async () => {
  const { gitDirectory, directory } = await open();
  const [original, copy] = [gitDirectory, directory.path].map((path) => statSync(join(path, 'index')).mtimeMs);
  expect(copy).toBeLessThanOrEqual(original ?? 0);
});

it('has the settings that change how files are compared, and no other one of the repository', async () => {
  const { directory } = await open();
  const settings = await readFile(join(directory.path, 'config'), 'utf8');
  expect(settings).toContain('\tautocrlf = input\n');
  expect(settings).toContain('\tfsmonitor = false\n');
  expect(settings).not.toContain('evil');
});
