import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepFromChildrenPiece } from './keep-from-children.ts';
import { buildPreload, preloadVariables } from './preload.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'keep-from-children-'));
});

afterEach(() => rm(root, { recursive: true }));

/** What a program that starts a script of a package hands to the programs that the script starts. */
async function optionsBehind(packageName: string): Promise<string> {
  const { path, content } = buildPreload([keepFromChildrenPiece()]);
  await writeFile(join(root, path), content);
  await mkdir(join(root, 'package'));
  await writeFile(join(root, 'package', 'package.json'), JSON.stringify({ name: packageName }));
  await writeFile(
    join(root, 'package', 'script.js'),
    `process.stdout.write(require('node:child_process').execFileSync('/bin/sh', ['-c', 'echo "[$NODE_OPTIONS]"']))`,
  );
  const program = join(root, 'gemini');
  await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'package', 'script.js')}'\n`);
  await chmod(program, 0o755);
  const env = preloadVariables({ file: program, arguments: [] }, root);
  return (await execa(program, [], { env, extendEnv: false })).stdout.trim();
}

describe.skipIf(process.platform === 'win32')('the preloaded script of a CLI that a program starts', () => {
  it('PROGRAM-10: is not loaded by programs that the CLI starts', async () => {
    expect(await optionsBehind('@google/gemini-cli')).toBe('[]');
  });

  it('is passed on by programs other than the CLI', async () => {
    expect(await optionsBehind('a-version-manager')).toBe(`[--require="${join(root, 'preload.cjs')}"]`);
  });
});
