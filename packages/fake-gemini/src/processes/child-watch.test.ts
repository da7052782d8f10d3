import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { watchChildren } from './child-watch.ts';

const run = promisify(execFile);

it.each(['spawn', 'execFile', 'fork', 'spawnSync', 'execFileSync'])('sees a program that %s starts', async (name) => {
  const directory = await mkdtemp(join(tmpdir(), 'child-watch-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { environment, started } = await watchChildren(directory);
  const script = `require('node:child_process').${name}('a-program-of-no-one', ['argument'])?.on?.('error', () => {})`;
  await run(process.execPath, ['-e', script], { env: environment }).catch(() => undefined);
  expect(await started()).toEqual([expect.stringContaining('a-program-of-no-one')]);
});

it('sees nothing if nothing starts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'child-watch-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { environment, started } = await watchChildren(directory);
  await run(process.execPath, ['-e', '0'], { env: environment });
  expect(await started()).toEqual([]);
});
